const codes = ["EMFILE", "ENFILE"];

/** Whether the system could open no more files or connections: a matter of the moment, not of the request. */
export function isFdLimit(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && codes.includes(String(thrown.code));
}
