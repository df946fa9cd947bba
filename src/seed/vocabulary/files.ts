import type { Topic } from "./topics.ts";

/** A commit of a history with its changed files. `{name}` is the project's name, `{about}` its description. */
export interface PlannedCommit {
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The commits of the main branch, oldest first, and unmerged ones. */
export interface PlannedHistory {
  readonly main: readonly PlannedCommit[];
  readonly branches: Readonly<Record<string, PlannedCommit>>;
}

/** The CI file of projects that are built. Those of docs and design have a short one. */
const ciFile = (image: string, build: string, test: string) => `stages: [build, test, release]

default:
  image: ${image}

build:
  stage: build
  script:
    - ${build}
  artifacts:
    paths: [out/]

lint:
  stage: test
  script:
    - make lint
  allow_failure: true

unit tests:
  stage: test
  script:
    - ${test}

acceptance tests:
  stage: test
  script:
    - make acceptance
  rules:
    - if: $CI_COMMIT_BRANCH == "main" || $CI_COMMIT_TAG

publish:
  stage: release
  script:
    - make publish
  rules:
    - if: $CI_COMMIT_TAG
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
`;

const shortCiFile = `stages: [check]

links:
  stage: check
  script:
    - make links

spelling:
  stage: check
  script:
    - make spelling
  allow_failure: true
`;

/** `{about}` is the project's description. */
const readme = (about: string, build?: string) => {
  const how = build === undefined ? "" : `## Build\n\n    ${build}\n\n`;
  return `# {name}\n\n{about}${about}\n\n${how}## Ask\n\nOpen an issue.\n`;
};
const changelog = (...lines: string[]) => `# Changelog\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;

const c = (name: string, body: string) => `#include <stdint.h>\n\n${body.replaceAll("NAME", name)}\n`;

export const histories: Readonly<Record<Topic, PlannedHistory>> = {
  firmware: {
    main: [
      { message: "Initial commit", files: { "README.md": readme("Runs on two cells for a year.", "make") } },
      {
        message: "Count pulses in an interrupt",
        files: {
          Makefile: "all: out/image.bin\n\nout/image.bin: src/main.c src/pulse.c\n\t$(CC) -Os -o $@ $^\n",
          "src/pulse.c": c("pulse", "static volatile uint32_t pulses;\n\nvoid NAME_isr(void) { pulses += 1; }"),
          "src/main.c": c("main", "int NAME(void) {\n  for (;;) wait_for_interrupt();\n}"),
        },
      },
      {
        message: "Build and test every commit",
        files: { ".gitlab-ci.yml": ciFile("registry.skylark.example/gcc-arm:12", "make", "make test") },
      },
      {
        message: "Sleep between readings\n\nTakes the average draw from 4 mA to 90 uA.",
        files: { "src/power.c": c("power", "void NAME_down(uint32_t ms) { rtc_wake_after(ms); deep_sleep(); }") },
      },
      {
        message: "Debounce the reed switch",
        files: {
          "src/pulse.c": c(
            "pulse",
            "static volatile uint32_t pulses, last;\n\nvoid NAME_isr(void) {\n  if (ticks() - last > 3) pulses += 1;\n  last = ticks();\n}",
          ),
          "CHANGELOG.md": changelog("A gust is counted once", "Ten months more on a pair of cells"),
        },
      },
      {
        message: "Keep the last day of readings in flash",
        files: { "src/ring.c": c("ring", "void NAME_put(uint16_t reading) { flash_append(reading); }") },
      },
    ],
    branches: {
      "ice-detection": {
        message: "Tell ice from calm",
        files: { "src/ice.c": c("ice", "int NAME_likely(int16_t temperature, uint32_t pulses) { return 0; }") },
      },
      "fix-leap-second": { message: "Ignore the second sixty", files: { "src/clock.c": c("clock", "/* later */") } },
    },
  },
  cloud: {
    main: [
      {
        message: "Initial commit",
        files: { "README.md": readme("One process, one queue, one database.", "make wheel") },
      },
      {
        message: "Answer health checks",
        files: {
          "app/main.py":
            'from app.web import App\n\napp = App()\n\n\n@app.get("/health")\ndef health():\n    return {"ok": True}\n',
          "requirements.txt": "httpx\nmsgpack\n",
        },
      },
      {
        message: "Test and publish",
        files: { ".gitlab-ci.yml": ciFile("registry.skylark.example/python:3.13", "make wheel", "make test") },
      },
      {
        message: "Retry with a growing pause",
        files: {
          "app/retry.py":
            "import time\n\n\ndef retry(call, times=5):\n    for attempt in range(times):\n        try:\n            return call()\n        except TimeoutError:\n            time.sleep(2**attempt / 10)\n    raise TimeoutError(call.__name__)\n",
        },
      },
      {
        message: "Read settings once",
        files: { "app/settings.py": 'import os\n\nWORKERS = int(os.environ.get("WORKERS", "4"))\n' },
      },
      {
        message: "Refuse readings from the future",
        files: {
          "app/checks.py":
            "def is_plausible(reading, now):\n    return reading.time <= now + 60 and -60 <= reading.value <= 400\n",
          "CHANGELOG.md": changelog("A station with a wrong clock is told so", "Queues survive a restart"),
        },
      },
      { message: "Say which worker is slow", files: { "app/timing.py": "SLOW_MS = 250\n" } },
    ],
    branches: {
      "batch-inserts": { message: "Insert five hundred at a time", files: { "app/batch.py": "BATCH = 500\n" } },
      "async-workers": { message: "Try async workers", files: { "app/workers.py": "# not faster yet\n" } },
    },
  },
  app: {
    main: [
      {
        message: "Initial commit",
        files: { "README.md": readme("Works on the oldest phone in the house.", "make bundle") },
      },
      {
        message: "Draw the last day as a line",
        files: {
          "src/chart.ts":
            "export const path = (values: readonly number[]) => values.map((y, x) => [x, y].join()).join(' ');\n",
          "package.json": '{ "name": "client", "private": true, "type": "module" }\n',
        },
      },
      {
        message: "Lint, test, ship",
        files: { ".gitlab-ci.yml": ciFile("registry.skylark.example/node:22", "make bundle", "make test") },
      },
      {
        message: "Remember the last station",
        files: { "src/last-station.ts": 'export const key = "last-station";\n' },
      },
      {
        message: "Wait for a signal, then send\n\nReadings that were taken on the roof are sent from the street.",
        files: {
          "src/outbox.ts": "export const outbox: unknown[] = [];\n",
          "CHANGELOG.md": changelog("Works without reception", "Charts in feet, for those who must"),
        },
      },
    ],
    branches: {
      "dark-mode": { message: "Night colours", files: { "src/theme.css": ":root { color-scheme: light dark; }\n" } },
      "bigger-buttons": {
        message: "Buttons for gloves",
        files: { "src/buttons.css": "button { min-height: 56px; }\n" },
      },
    },
  },
  data: {
    main: [
      {
        message: "Initial commit",
        files: { "README.md": readme("From raw counts to metres a second.", "make tables") },
      },
      {
        message: "Fit offsets by least squares",
        files: {
          "fit.py": "def offset(pairs):\n    return sum(reference - raw for raw, reference in pairs) / len(pairs)\n",
          "stations.csv": "id,name,height_m\n1,Harbour,12\n2,Old town,31\n3,Ridge,840\n",
        },
      },
      {
        message: "Recompute on every change",
        files: { ".gitlab-ci.yml": ciFile("registry.skylark.example/python:3.13", "make tables", "make test") },
      },
      {
        message: "Leave out stations in the lee of a wall",
        files: { "exclude.csv": "id,reason\n2,wall to the west\n" },
      },
      {
        message: "One map a month",
        files: {
          "maps.py": "MONTHS = range(1, 13)\n",
          "CHANGELOG.md": changelog("Maps are drawn by the first of the month"),
        },
      },
    ],
    branches: { "median-not-mean": { message: "Try medians", files: { "fit.py": "# medians: see the issue\n" } } },
  },
  docs: {
    main: [
      { message: "Initial commit", files: { "README.md": readme("Short pages, one idea each.") } },
      {
        message: "How we decide",
        files: {
          "decisions.md": "# Decisions\n\nWrite it down before you build it. Silence for three days is consent.\n",
        },
      },
      { message: "Check links", files: { ".gitlab-ci.yml": shortCiFile } },
      {
        message: "Before you climb",
        files: {
          "roof.md":
            "# Before you climb\n\n1. Two people.\n2. No wind above 8 m/s.\n3. Somebody knows where you are.\n",
        },
      },
    ],
    branches: {
      "plain-words": { message: "Say it shorter", files: { "decisions.md": "# Decisions\n\nWrite first.\n" } },
    },
  },
  design: {
    main: [
      { message: "Initial commit", files: { "README.md": readme("Drawn on a grid of 24.") } },
      {
        message: "Eight kinds of rain",
        files: {
          "icons/drizzle.svg":
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M8 17v2m4-2v2m4-2v2"/></svg>\n',
          "icons/shower.svg":
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M8 15v5m4-5v5m4-5v5"/></svg>\n',
        },
      },
      { message: "Check the drawings", files: { ".gitlab-ci.yml": shortCiFile } },
      {
        message: "Sleet is not snow",
        files: {
          "icons/sleet.svg":
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M8 17v1m4 2v1m4-4v1"/></svg>\n',
        },
      },
    ],
    branches: { "thicker-lines": { message: "Two pixels", files: { "tokens.json": '{ "stroke": 2 }\n' } } },
  },
};

/** Snippets: title, file, content. */
export const snippetTexts: readonly (readonly [title: string, file: string, content: string])[] = [
  ["Read one station from the shell", "read.sh", 'curl -s "$API/stations/$1/latest" | jq .wind\n'],
  ["Beaufort from metres a second", "beaufort.py", "def beaufort(v):\n    return round((v / 0.836) ** (2 / 3))\n"],
  ["Who was on call", "on-call.sql", "select person, count(*) from shifts group by person order by 2 desc;\n"],
  ["Colours of the wind", "wind.json", '{ "calm": "#cfe8ff", "gale": "#7a1fa2" }\n'],
  ["What to pack for a roof", "roof.md", "- harness\n- two spanners\n- tea\n"],
  ["Dew point, roughly", "dew.c", "float dew(float t, float rh) { return t - (100 - rh) / 5; }\n"],
];
