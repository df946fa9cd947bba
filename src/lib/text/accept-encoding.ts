/** True when `Accept-Encoding` allows a coding. */
export function acceptsCoding(header: string | null, coding: string): boolean {
  if (header === null) return false;
  return (
    header
      .toLowerCase()
      .split(",")
      // Avoids a pattern for the spaces, since a header may have a hundred thousand.
      .map((part) => part.split(";"))
      .some(([name, weight = ""]) => name?.trim() === coding && !/^q=0(\.0*)?$/.test(weight.trim()))
  );
}
