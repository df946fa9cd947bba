/** Whether `Accept-Encoding` names a coding, and not with `q=0`. */
export function acceptsCoding(header: string | null, coding: string): boolean {
  if (header === null) return false;
  return header
    .toLowerCase()
    .split(",")
    .map((part) => part.trim().split(/\s*;\s*/))
    .some(([name, weight]) => name === coding && !/^q=0(\.0*)?$/.test(weight ?? ""));
}
