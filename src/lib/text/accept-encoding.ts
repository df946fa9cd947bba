/** Whether `Accept-Encoding` names a coding, and not with `q=0`. */
export function acceptsCoding(header: string | null, coding: string): boolean {
  if (header === null) return false;
  return (
    header
      .toLowerCase()
      .split(",")
      // No pattern for the spaces: a header has room for a hundred thousand.
      .map((part) => part.split(";"))
      .some(([name, weight = ""]) => name?.trim() === coding && !/^q=0(\.0*)?$/.test(weight.trim()))
  );
}
