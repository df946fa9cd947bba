import type { Visibility } from "../../domain/visibility.ts";
import type { Topic } from "./topics.ts";

export interface CastGroup {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly topic: Topic;
  /** The founder's username. */
  readonly founder: string;
}

export interface CastProject {
  /** The path of a group and the project's name; for a personal project, a username instead. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly topic: Topic;
  readonly tags: readonly string[];
  /** The share of the activity. */
  readonly weight: number;
  readonly archived?: true;
  /** True when the project has no commits. */
  readonly empty?: true;
}

/** Parents come before their subgroups. */
export const castGroups: readonly CastGroup[] = [
  group("skylark", "Skylark Instruments", "Weather stations that outlive the roof", "public", "firmware", "mara.quist"),
  group("skylark/firmware", "Firmware", "Everything that runs on a battery", "internal", "firmware", "tomas"),
  group("skylark/firmware/radio", "Radio", "From the mast to the gateway", "private", "firmware", "tomas"),
  group("skylark/cloud", "Cloud", "From the gateway to the chart", "private", "cloud", "bram.tidewell"),
  group("skylark/cloud/platform", "Platform", "What the others stand on", "private", "cloud", "kofi-a"),
  group("skylark/apps", "Apps", "What people look at", "internal", "app", "lena-osk"),
  group("skylark/data", "Data", "Wind into tables", "public", "data", "ines_moreau"),
  group("fieldwork", "Fieldwork Ltd", "Installs and repairs stations", "private", "docs", "hana.duskfield"),
  group("fieldwork/rooftops", "Rooftops", "One crew for each district", "private", "docs", "hana.duskfield"),
  group("pinion", "Pinion Design", "A studio of three", "internal", "design", "wim.cobbleton"),
  group("pinion/systems", "Design systems", "Parts that fit each other", "internal", "design", "wim.cobbleton"),
  group("weathervane", "Weathervane", "People who run a station at home", "public", "docs", "otto.vanewick"),
  group("ledgerly", "Ledgerly", "Audits, twice a year", "private", "docs", "gil.merriton"),
];

export const castProjects: readonly CastProject[] = [
  project("skylark/handbook", "Handbook", "How we work", "public", "docs", ["handbook"], 2),
  project("skylark/website", "Website", "skylark.example", "public", "app", ["web", "marketing"], 2),
  project("skylark/firmware/anemometer", "Anemometer", "Cups, pulses, gusts", "internal", "firmware", ["c", "wind"], 9),
  project("skylark/firmware/rain-gauge", "Rain gauge", "Tipping bucket, two sizes", "internal", "firmware", ["c"], 5),
  project("skylark/firmware/bootloader", "Bootloader", "Never bricks", "internal", "firmware", ["c", "safety"], 3),
  {
    ...project("skylark/firmware/sundial", "Sundial", "The first model", "internal", "firmware", ["legacy"], 2),
    archived: true,
  },
  project("skylark/firmware/radio/lora-stack", "LoRa stack", "", "private", "firmware", ["radio"], 4),
  {
    ...project("skylark/firmware/radio/antenna-tuner", "Antenna tuner", "", "private", "firmware", ["radio"], 1),
    empty: true,
  },
  project("skylark/cloud/ingest", "Ingest", "Takes readings in", "private", "cloud", ["python", "queue"], 8),
  project("skylark/cloud/forecast-api", "Forecast API", "Gives them back", "private", "cloud", ["python", "api"], 7),
  project("skylark/cloud/accounts", "Accounts", "Who may see which station", "private", "cloud", ["python"], 4),
  project("skylark/cloud/platform/deploy", "Deploy", "One way to production", "private", "cloud", ["ops"], 4),
  project("skylark/cloud/platform/watchtower", "Watchtower", "Alerts", "private", "cloud", ["ops", "alerts"], 5),
  project("skylark/apps/field-app", "Field app", "For those on the ladder", "internal", "app", ["mobile"], 6),
  project("skylark/apps/station-console", "Station console", "For all others", "internal", "app", ["web"], 6),
  project("skylark/data/calibration", "Calibration", "Every sensor lies a little", "internal", "data", ["python"], 4),
  project("skylark/data/wind-atlas", "Wind atlas", "A map a month", "public", "data", ["maps", "open-data"], 3),
  project("fieldwork/checklists", "Checklists", "Before, on and after the roof", "private", "docs", ["safety"], 2),
  project("fieldwork/rooftops/harbour", "Harbour district", "", "private", "docs", [], 2),
  { ...project("fieldwork/rooftops/old-town", "Old town", "", "private", "docs", [], 1), empty: true },
  project("pinion/systems/icons", "Icons", "Forty kinds of rain", "internal", "design", ["icons"], 2),
  project("weathervane/plugins", "Plugins", "Made at home", "public", "app", ["community"], 3),
  project("weathervane/almanac", "Almanac", "What the neighbours measured", "public", "docs", ["community"], 1),
  project("mara.quist/dotfiles", "Dotfiles", "", "private", "docs", [], 0.2),
  project("yuki.tanabe/sketches", "Sketches", "Rejected ones too", "public", "design", [], 0.3),
];

function group(
  path: string,
  name: string,
  description: string,
  visibility: Visibility,
  topic: Topic,
  founder: string,
): CastGroup {
  return { path, name, description, visibility, topic, founder };
}

function project(
  path: string,
  name: string,
  description: string,
  visibility: Visibility,
  topic: Topic,
  tags: readonly string[],
  weight: number,
): CastProject {
  return { path, name, description, visibility, topic, tags, weight };
}

/** Company names at larger scales consist of one word from each list, clearly fictional. */
export const companyBeginnings = [
  ...["Amber", "Birch", "Cinder", "Copper", "Dapple", "Drizzle", "Ember", "Fathom", "Gable", "Hollow", "Juniper"],
  ...["Kettle", "Lantern", "Marble", "Nettle", "Otter", "Pebble", "Quill", "Rookery", "Saddle", "Thimble", "Umber"],
  ...["Velvet", "Waxwing", "Yarrow", "Bramble", "Cobalt", "Dovetail", "Fennel", "Granary"],
] as const;
export const companyEnds: readonly (readonly [name: string, description: string])[] = [
  ["Works", "Made to order since last spring"],
  ["Robotics", "Arms that hand you things"],
  ["Bakery Systems", "Ovens that know what is in them"],
  ["Ferries", "Three boats and a timetable"],
  ["Optics", "Lenses for people who look up"],
  ["Cartography", "Maps that fold themselves"],
  ["Acoustics", "Quiet rooms, loud rooms"],
  ["Gardens", "Water where it is needed"],
  ["Freight", "By rail where it can be"],
  ["Kites", "Power from a long string"],
  ["Lifts", "Up, down and all that is between"],
  ["Clocks", "For towers and stations"],
  ["Greenhouses", "Tomatoes in February"],
  ["Printing", "Small runs, good paper"],
  ["Bicycles", "Rented by the hour"],
  ["Observatory", "Open on clear nights"],
  ["Textiles", "Cloth that measures"],
  ["Tramways", "Lines 1, 2 and 5"],
];

export const teamNames: readonly (readonly [name: string, topic: Topic, description: string])[] = [
  ["Devices", "firmware", "What hangs on the wall"],
  ["Backend", "cloud", "What nobody sees"],
  ["Operations", "cloud", "Keeps it running"],
  ["Clients", "app", "What people touch"],
  ["Insights", "data", "Numbers, and what they mean"],
  ["Documentation", "docs", "Words for all of it"],
  ["Studio", "design", "How it looks and feels"],
];

export const projectNames: Readonly<Record<Topic, readonly (readonly [name: string, description: string])[]>> = {
  firmware: [
    ["Sensor hub", "Up to eight sensors on one cable"],
    ["Motor control", "Slow, strong and silent"],
    ["Gateway", "From the bus to the network"],
    ["Power board", "Three volts, whatever comes in"],
    ["Flash tool", "Brings boards up in the workshop"],
    ["Test bench", "Twelve boards at a time"],
    ["Valve driver", "Open means open"],
  ],
  cloud: [
    ["Billing", "Invoices on the first of the month"],
    ["Gatekeeper", "Who may come in"],
    ["Queue", "First in, first out, nothing lost"],
    ["Scheduler", "What runs when"],
    ["Notifier", "Mails, messages and bells"],
    ["Inventory", "What is where"],
    ["Exporter", "Everything, as files"],
    ["Search", "Finds it by half a word"],
    ["Archive", "Older than a year"],
  ],
  app: [
    ["Dashboard", "The state of things, on one page"],
    ["Kiosk", "For the screen in the hall"],
    ["Companion", "In the pocket"],
    ["Storefront", "Order, pay, done"],
    ["Scanner", "Labels into lists"],
    ["CronTable", "When the next one leaves"],
    ["Logbook", "What happened on this shift"],
  ],
  data: [
    ["Forecasts", "Next week, with how sure we are"],
    ["Reports", "Monthly, for people with little time"],
    ["Features", "Tables that models are made of"],
    ["Warehouse", "Everything in one place, twice checked"],
    ["Notebooks", "Questions and half of the answers"],
    ["Quality checks", "Finds the reading that cannot be"],
  ],
  docs: [
    ["Handbook", "How we work"],
    ["Runbooks", "What to do at night"],
    ["Guides", "For customers"],
    ["Release notes", "What is new, in plain words"],
    ["Policies", "What we agreed on"],
  ],
  design: [
    ["Icons", "On a grid of 24"],
    ["Tokens", "Colours, sizes and names for them"],
    ["Illustrations", "For pages that would be empty"],
    ["Typefaces", "Licensed ones, and where"],
  ],
};
