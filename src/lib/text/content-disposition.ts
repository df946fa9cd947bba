/** Returns `Content-Disposition` with an ASCII name for old clients, and the real name for others (RFC 6266). */
export function contentDisposition(kind: "attachment" | "inline", filename: string): string {
  const plain = filename.replace(/[^ -~]|["\\]/g, "?");
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed())}`;
}
