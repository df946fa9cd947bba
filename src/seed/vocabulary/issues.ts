import type { Topic } from "./topics.ts";

type Words = Readonly<Record<string, readonly string[]>>;

/** Templates of titles and texts of issues, and the words for them. */
export interface IssueWords {
  readonly titles: readonly string[];
  readonly words: Words;
}

export const issueWords: Readonly<Record<Topic, IssueWords>> = {
  firmware: {
    titles: [
      "{Part} reports {wrong} after {event}",
      "{Part} stops {doing} below {limit}",
      "Battery lasts {time} instead of a year when {condition}",
      "Read the {part} {often} while {condition}",
      "{Doing} takes twice the current that it should",
      "Watchdog resets the station during {event}",
      "Support the {version} board",
      "Write down how to recalibrate the {sensor}",
      "Drop readings taken while {condition}",
    ],
    words: {
      part: ["anemometer", "wind vane", "rain gauge", "barometer", "thermometer", "solar panel", "radio", "clock"],
      wrong: ["zero", "the last value for ever", "twice the real value", "yesterday's values", "nothing"],
      sensor: ["anemometer", "wind vane", "rain gauge", "barometer", "thermometer"],
      event: ["a cold start", "a brown-out", "a long frost", "a lightning strike nearby", "an update", "leap day"],
      doing: ["sending", "measuring", "logging", "waking up", "averaging", "counting pulses"],
      limit: ["-20 °C", "2.6 V", "one bar of signal", "-5 °C", "ten per cent charge"],
      time: ["three weeks", "four months", "nine days"],
      condition: ["the sky is overcast", "the gateway is away", "the mast sways", "nobody has touched it", "it snows"],
      often: ["more often", "less often", "twice a minute"],
      version: ["third", "north", "marine", "half-height"],
    },
  },
  cloud: {
    titles: [
      "{Service} answers 500 when {condition}",
      "{Service} is slow with {load}",
      "Readings of {who} arrive {late}",
      "Move {service} to the new {thing}",
      "Rotate the {secret} of {service}",
      "{Service} retries for ever when {condition}",
      "Count {load} by region",
      "Alert before the {thing} is full, not after",
      "Let {who} export {load}",
    ],
    words: {
      service: [
        "ingest",
        "the forecast API",
        "the accounts service",
        "the scheduler",
        "the exporter",
        "the gatekeeper",
      ],
      condition: [
        ...["the queue is empty", "two stations share a name", "the clock goes back", "a token has expired"],
        ...["the body is compressed twice", "the database fails over"],
      ],
      load: ["ten thousand stations", "a year of readings", "late packets", "failed logins", "monthly reports"],
      who: ["northern stations", "guests", "partners", "installers", "schools"],
      late: ["an hour late", "twice", "in the wrong order", "with the wrong unit"],
      thing: ["queue", "disk", "database", "load balancer", "bucket"],
      secret: ["signing key", "database password", "webhook secret", "certificate"],
    },
  },
  app: {
    titles: [
      "{Screen} is empty when {condition}",
      "{Screen} scrolls back to the top after {event}",
      "Show {what} on {screen}",
      "Crash on {device} when {condition}",
      "{What} overlaps the legend on small screens",
      "Let people choose {choice}",
      "Screen readers skip {what}",
      "Translate {screen} into {language}",
      "{Screen} forgets {choice} after {event}",
    ],
    words: {
      screen: ["the map", "the station page", "the login page", "the wind chart", "the settings page", "the checklist"],
      condition: ["offline", "there is no station yet", "the battery is low", "the font is large", "it is rotated"],
      event: ["a refresh", "an update", "logging in again", "going back"],
      what: [
        "the gust marker",
        "the dew point",
        "the last reading's age",
        "the tide table",
        "the installer's name",
        "the error",
      ],
      device: ["old phones", "tablets", "the ruggedised reader", "a phone in a glove box"],
      choice: ["knots", "the night colours", "a home station", "the first day of the week", "feet"],
      language: ["Portuguese", "Finnish", "Marathi", "Japanese", "Dutch", "Faroese"],
    },
  },
  data: {
    titles: [
      "{Table} disagrees with {other} in {month}",
      "Gap in {table} after {event}",
      "Recompute {table} with the new {method}",
      "{Month} map shows wind where there is {not}",
      "Publish {table} every {often}",
      "Explain the {method} to people who are not us",
      "{Table} takes an hour to build",
      "Mark stations that {doubt}",
    ],
    words: {
      table: ["the wind atlas", "the offset table", "the hourly table", "the gust table", "the station list"],
      other: ["the lighthouse", "the airport", "last year", "the forecast", "common sense"],
      month: ["January", "March", "May", "August", "October", "December"],
      event: ["the winter move", "the clock change", "the outage", "the new firmware"],
      method: ["median filter", "height correction", "least squares fit", "outlier rule"],
      not: ["a wall", "a forest", "a tunnel", "no station"],
      often: ["night", "month", "hour"],
      doubt: ["stand behind a wall", "were moved", "count twice", "have not been visited for a year"],
    },
  },
  docs: {
    titles: [
      "{Page} still shows the {old}",
      "Add a page on {subject}",
      "{Page} does not say what to do when {condition}",
      "A photo of {detail} is missing",
      "Shorten {page}",
      "{Page} contradicts {other}",
      "Visit to {place}: {condition}",
      "Order spare parts for {place}",
    ],
    words: {
      page: ["the roof checklist", "the welcome page", "the holiday rules", "the mounting guide", "the glossary"],
      other: ["the safety sheet", "the contract", "what we do", "the poster in the kitchen"],
      old: ["old logo", "previous mast", "wrong phone number", "screen before the redesign"],
      detail: ["the lightning rod", "the cable clamp", "the new mast foot", "a guy wire under load"],
      subject: ["lightning rods", "expenses", "the first week", "guy wires", "saying no to customers"],
      condition: ["it hails", "nobody answers", "the ladder is too short", "the key does not fit", "there are bees"],
      place: ["the harbour", "the observatory", "the old mill", "school number nine", "the ferry terminal"],
    },
  },
  design: {
    titles: [
      "Icon for {subject}",
      "{Subject} and {other} look the same at 16 pixels",
      "{Thing} fails the contrast check at night",
      "Redraw {subject} on the new grid",
      "Name the {thing} by what it is for",
      "Export {thing} without the margin",
    ],
    words: {
      subject: ["sleet", "drizzle", "a gust", "calm", "the station", "hail", "fog", "a broken sensor"],
      other: ["rain", "snow", "mist", "the logo", "an umbrella"],
      thing: ["grey", "focus ring", "warning colour", "spacing", "type scale"],
    },
  },
};

export const descriptionLines: readonly string[] = [
  "Seen at {place} on a {day}. It went away by itself.",
  "Reported by {reporter}. Happens {often}.",
  "We promised this to {reporter}.",
  "Not urgent, but it comes up {often}.",
  "See the notes of the {weekday} meeting.",
  "A workaround: switch it off and on again, then wait for ten minutes.",
  "I could not make it happen here; {reporter} can.",
  "The logs of that hour are attached to the older report.",
];

export const descriptionWords: Words = {
  place: ["the harbour", "the ridge", "the test roof", "a school in the valley", "the lighthouse"],
  weekday: ["Monday", "Tuesday", "Wednesday", "Thursday"],
  day: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Sunday"],
  reporter: ["the installers", "a customer up north", "support", "the night shift", "a teacher", "the weather club"],
  often: ["once a week", "every night", "at each start", "when it is cold", "more than we would like"],
};

/** The ends of some descriptions, by topic: steps to reproduce the problem, or tasks. */
export const endings: Readonly<Record<Topic, readonly string[]>> = {
  firmware: [
    "## Steps\n\n1. Leave it alone overnight.\n2. Look at the first reading of the morning.\n3. Compare.",
    "## Steps\n\n1. Take the battery out for ten seconds.\n2. Wait for the second reading.\n3. Blow.",
    "- [x] Try it on one station\n- [ ] Try it on the test roof\n- [ ] Try it on all of them",
  ],
  cloud: [
    "## Steps\n\n1. Send the same packet twice.\n2. Wait for a minute.\n3. Ask for the last hour of that station.",
    "## Seen\n\n```\nGET /forecast?station=4711 200 in 4.1 s\nGET /forecast?station=4711 200 in 0.2 s\n```",
    "- [x] A test that fails\n- [ ] The fix\n- [ ] A line in the runbook",
  ],
  app: [
    "## Steps\n\n1. Open it without reception.\n2. Go back to the street.\n3. Pull to refresh.",
    "## Expected\n\nWhat the station shows.\n\n## Seen\n\nWhat it showed an hour ago.",
    "- [x] Phone\n- [ ] Tablet\n- [ ] Screen reader",
  ],
  data: [
    "## Steps\n\n1. Take the table of last month.\n2. Build it again.\n3. Compare the two.",
    "| station | then | now |\n| --- | --- | --- |\n| Harbour | 4.1 | 4.3 |\n| Ridge | 9.8 | 9.1 |",
    "- [x] One station\n- [ ] One region\n- [ ] Everything since 2019",
  ],
  docs: [
    "- [x] First draft\n- [ ] Read by somebody who was never up there\n- [ ] Published",
    "- [ ] Text\n- [ ] Drawing\n- [ ] Translation",
  ],
  design: ["- [x] Sketch\n- [ ] 16, 24 and 48 pixels\n- [ ] Night colours", "- [ ] Light\n- [ ] Dark\n- [ ] In print"],
};

/** `{who}` is a participant of the issue, `{commit}` an abbreviated commit id. */
export const noteTexts: readonly string[] = [
  "I can reproduce this on the test roof.",
  "Same here, since the last update.",
  "@{who} could you have a look when you are back?",
  "Thanks, @{who}, that was it.",
  "Let's keep this small: first the fix, then the tidy-up.",
  "Moved to the next milestone, the board is not here yet.",
  "Works for me with the new build. Who else can try?",
  "Is this still a problem? I have not seen it since spring.",
  "The customer says that it is better, but not gone.",
  "I would rather we wrote a test first.",
  "Measured again: 87 uA asleep, 14 mA awake.",
  "Estimated with @{who}, half a day.",
  "Nobody has seen it for two months. Does anyone still need it?",
  "Can we say this in one sentence in the changelog?",
  "No objections from the field, go ahead.",
  "I left a photo in the shared folder.",
  "It is the cable. It is always the cable.",
  "@{who} and I looked at it together; the fix is on a branch.",
];

export const internalNotes: readonly string[] = [
  "The customer is about to renew, please be quick.",
  "Not for the public page: the spare part is delayed by the supplier.",
  "Support has three more of these.",
];

/** The shares of reactions. Thumbs up is the most frequent. */
export const reactions: Readonly<Record<string, number>> = {
  thumbsup: 12,
  heart: 3,
  tada: 3,
  eyes: 3,
  rocket: 2,
  thinking: 1,
  thumbsdown: 1,
  snowflake: 1,
};
