/** Exit codes of the executable. */
export const exitCodes = { failed: 1, usage: 2, damaged: 3, answered4xx: 4, answered5xx: 5 } as const;

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  failed:
    "Outpost cannot start or continue: the port is taken, the folder is in use, the disk is broken; `api`: no answer, or 3xx; `selftest`: a call failed",
  usage: "wrong use: an unknown command, flag or variable, or an invalid value",
  damaged: "the store, the archive or the export is damaged; nothing was changed",
  answered4xx: "a command that calls a server: the server answered 4xx; `explain`: the user may not make the call",
  answered5xx: "a command that calls a server: the server answered 5xx",
};

/** The exit codes and their meanings, as in `outpost help exit-codes`. */
export const meaningsOfExitCodes: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: "done, or stopped as asked; `api`: the server answered 2xx" },
  ...Object.entries(exitCodes).map(([name, code]) => ({ code, meaning: meanings[name as keyof typeof exitCodes] })),
];

/** An error that the user can fix. The command prints its message and hint, without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly exitCode: number;
  /** Lines between the message and the hint. */
  readonly details: readonly string[];
  readonly #hint: string | ((command: string) => string);

  /**
   * `hint` is a helpful command or setting. As a function, it gets the name of the failed command: `serve`, `export FOLDER`,
   * …
   */
  constructor(
    message: string,
    hint: string | ((command: string) => string),
    options: ErrorOptions & { exitCode?: number; details?: readonly string[] } = {},
  ) {
    super(message, options);
    this.#hint = hint;
    this.exitCode = options.exitCode ?? exitCodes.failed;
    this.details = options.details ?? [];
  }

  /** Returns the hint for the command with this name. */
  hintFor(command: string): string {
    return typeof this.#hint === "string" ? this.#hint : this.#hint(command);
  }
}
