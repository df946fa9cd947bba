/** `Content-Disposition` with a name for old clients, in ASCII, and one for all others (RFC 6266). */
export function contentDisposition(kind: "attachment" | "inline", filename: string): string {
  const plain = filename.replace(/[^ -~]|["\\]/g, "?");
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed())}`;
}
