/** The output of the commands in the CI files. Other commands print nothing. */
const printed: Readonly<Record<string, readonly string[]>> = {
  make: ["gcc -Os -c src/main.c", "gcc -Os -c src/pulse.c", "ld -o out/image.bin", "   text    data     bss     dec"],
  "make lint": ["checked 14 files, nothing to say"],
  "make test": [
    "test pulses_are_debounced ... ok",
    "test a_gust_counts_once ... ok",
    "test leap_day ... ok",
    "31 passed in 4.2 s",
  ],
  "make acceptance": ["station 3 answers", "station 7 answers", "12 scenarios, 12 passed"],
  "make publish": ["uploading out/", "done, 184 kB"],
  "make wheel": ["collecting requirements", "built service-1.4.0-py3-none-any.whl"],
  "make bundle": ["client.js  48.1 kB", "client.css  6.3 kB"],
  "make tables": ["fitted 41 stations", "wrote out/hourly.csv, 359,160 rows"],
  "make links": ["followed 212 links"],
  "make spelling": ["read 18 pages"],
};

const complaints: Readonly<Record<string, readonly string[]>> = {
  make: ["src/ring.c:12: error: 'flash_append' undeclared"],
  "make lint": ["src/main.c:40: this line is too long to be understood"],
  "make test": ["test leap_day ... FAILED", "  expected 366, found 365", "30 passed, 1 failed in 4.4 s"],
  "make acceptance": ["station 3 answers", "station 7 is silent", "12 scenarios, 11 passed, 1 failed"],
  "make links": ["guides/mast.md: the link to ../roof.md leads nowhere"],
  "make spelling": ["glossary.md: 'anenometer' is not in the dictionary"],
};

/** The version of the runners. */
export const managerVersion = { version: "17.5.0", revision: "c6eae8d7", platform: "linux", architecture: "amd64" };

/** Returns the log of a job with these commands, in the format of a runner. */
export function jobLog(script: readonly string[], isGood: boolean): string {
  const last = script.at(-1);
  const lines = [
    `Running with ${managerVersion.version} (${managerVersion.revision})`,
    "Getting source from Git repository",
    "Fetching changes with git depth set to 20...",
    ...script.flatMap((command) => {
      const isBad = !isGood && command === last;
      return [`$ ${command}`, ...((isBad ? complaints[command] : printed[command]) ?? [])];
    }),
    isGood ? "Job succeeded" : "ERROR: Job failed: exit code 1",
  ];
  return `${lines.join("\n")}\n`;
}
