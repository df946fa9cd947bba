/** A user who exists at every scale. */
export interface DemoUser {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly job_title: string;
  readonly location: string;
  readonly bio: string;
  readonly company: string;
  readonly admin?: true;
  readonly auditor?: true;
  readonly external?: true;
}

/** The staff of a small maker of weather stations, of the company that installs them, and of a design studio. */
export const cast: readonly DemoUser[] = [
  {
    username: "mara.quist",
    name: "Mara Quist",
    email: "mara@skylark.example",
    job_title: "Head of engineering",
    location: "Bergen",
    bio: "Keeps the roadmap short and the releases boring.",
    company: "skylark",
    admin: true,
  },
  {
    username: "tomas",
    name: "Tomás Herrera",
    email: "tomas@skylark.example",
    job_title: "Firmware developer",
    location: "Valparaíso",
    bio: "Barometers, bootloaders and bread.",
    company: "skylark",
  },
  {
    username: "ines_moreau",
    name: "Inès Moreau",
    email: "ines@skylark.example",
    job_title: "Data scientist",
    location: "Lyon",
    bio: "Turns wind into tables.",
    company: "skylark",
  },
  {
    username: "kofi-a",
    name: "Kofi Asante",
    email: "kofi@skylark.example",
    job_title: "Site reliability engineer",
    location: "Accra",
    bio: "On call this week. Be kind.",
    company: "skylark",
  },
  {
    username: "yuki.tanabe",
    name: "Yuki Tanabe",
    email: "yuki@pinion.example",
    job_title: "Product designer",
    location: "Sapporo",
    bio: "Draws first, asks later.",
    company: "pinion",
  },
  {
    username: "priya",
    name: "Priya Raman",
    email: "priya@fieldwork.example",
    job_title: "Installer",
    location: "Pune",
    bio: "Puts the stations on the roofs.",
    company: "fieldwork",
    external: true,
  },
  {
    username: "odile",
    name: "Odile Fennimarsh",
    email: "odile@skylark.example",
    job_title: "Technical writer",
    location: "Ghent",
    bio: "If it is not written down, it rains.",
    company: "skylark",
  },
  {
    username: "bram.tidewell",
    name: "Bram Tidewell",
    email: "bram@skylark.example",
    job_title: "Backend developer",
    location: "Cork",
    bio: "Queues, mostly.",
    company: "skylark",
  },
  {
    username: "lena-osk",
    name: "Lena Oskarby",
    email: "lena@skylark.example",
    job_title: "Mobile developer",
    location: "Turku",
    bio: "Tests on the oldest phone in the house.",
    company: "skylark",
  },
  {
    username: "sefa.lakemore",
    name: "Sefa Lakemore",
    email: "sefa@skylark.example",
    job_title: "Firmware developer",
    location: "Apia",
    bio: "Solders under a magnifier.",
    company: "skylark",
  },
  {
    username: "noor.brightwater",
    name: "Noor Brightwater",
    email: "noor@skylark.example",
    job_title: "Quality engineer",
    location: "Rabat",
    bio: "Breaks it before the weather does.",
    company: "skylark",
  },
  {
    username: "gil.merriton",
    name: "Gil Merriton",
    email: "gil@ledgerly.example",
    job_title: "Auditor",
    location: "Utrecht",
    bio: "Reads everything, touches nothing.",
    company: "ledgerly",
    auditor: true,
  },
  {
    username: "hana.duskfield",
    name: "Hana Duskfield",
    email: "hana@fieldwork.example",
    job_title: "Head of installations",
    location: "Nairobi",
    bio: "Ladders, permits and good shoes.",
    company: "fieldwork",
  },
  {
    username: "wim.cobbleton",
    name: "Wim Cobbleton",
    email: "wim@pinion.example",
    job_title: "Studio lead",
    location: "Porto",
    bio: "Believes in margins.",
    company: "pinion",
  },
  {
    username: "alba.reedling",
    name: "Alba Reedling",
    email: "alba@skylark.example",
    job_title: "Intern, data",
    location: "Trieste",
    bio: "Here until the end of the month.",
    company: "skylark",
  },
  {
    username: "otto.vanewick",
    name: "Otto Vanewick",
    email: "otto@vanewick.example",
    job_title: "Hobbyist",
    location: "Tórshavn",
    bio: "Three stations in the garden and counting.",
    company: "weathervane",
  },
];

export const firstNames =
  "Ada Aino Alma Amadi Anouk Arlo Asha Aurel Beatrix Benno Brisa Caspar Chidi Clea Dario Dagny Delphine Doro Eero Eliska Emre Enzo Esme Farid Fenna Flora Gaia Goran Greta Hamza Hedda Ilse Imani Isak Ivo Jana Joris Kaia Kamal Keiko Laszlo Leocadia Lio Lucia Malik Maren Milo Mina Nadia Nils Noemi Oluf Oriol Paloma Pavel Petra Quirin Rania Remy Rosa Rufus Sabine Samir Senna Sigrid Soraya Stellan Tamsin Tariq Thea Timo Ulla Vera Viggo Wanda Willa Xenia Yara Yusuf Zelda Zeno".split(
    " ",
  );

/** Fictional names. */
export const lastNames =
  "Ashwillow Ambergate Barleycroft Bellweather Birchmantle Bramblecott Brookhaven Candlewick Cinderford Cloverley Copperfen Coralby Dewhollow Dovetree Driftwell Dunmarrow Eastmere Elderquill Emberlin Fallowmere Farrowby Fernsby Flintlock Foxmoor Frostwick Gablewood Glasswick Goldenrye Gorsefield Hailbrook Harebell Hartwhistle Hazelby Heathermoor Hollowell Inkwater Ivybridge Juniperly Kestrelwood Kindlewood Larkspurr Lindenhall Lowmarsh Maplethwaite Marrowgate Meadowlock Millpond Mistlewood Mossgrove Nettlecombe Nightingall Oakenshaw Orchardson Otterbank Pebblecote Pinehurstle Plumridge Quillfeather Rainsford Ravenmoor Ripplewood Rookley Rosewarne Saltmarsh Silverbeck Skerrymoor Snowberry Sparrowhill Starlingham Stonepath Summerlea Swallowby Tarnfield Thistlewood Thornapple Tillerby Umberlake Underhollow Wagtail Waxwing Wheatcroft Willowmere Windermarsh Wrenfield Yarrowby".split(
    " ",
  );

export const jobTitles = [
  "Firmware developer",
  "Backend developer",
  "Frontend developer",
  "Support engineer",
  "Data engineer",
  "Product manager",
  "Technician",
  "Quality engineer",
  "Site reliability engineer",
  "Designer",
  "Technical writer",
  "Hardware engineer",
] as const;

export const locations = [
  ...["Bergen", "Lyon", "Accra", "Valparaíso", "Sapporo", "Pune", "Ghent", "Cork", "Turku", "Apia", "Rabat", "Utrecht"],
  ...["Nairobi", "Porto", "Trieste", "Tórshavn", "Wellington", "Cusco", "Hobart", "Gdańsk", "Izmir", "Halifax", "Hué"],
] as const;

export const bios = [
  "",
  "",
  "",
  "Tea before standup.",
  "Ask me about clouds.",
  "Small commits, long walks.",
  "Part-time, Monday to Wednesday.",
  "Prefers the train.",
  "Collects broken barometers.",
  "Writes tests on rainy days.",
  "Two cats, one keyboard.",
  "Was here before the coffee machine.",
  "Reads the changelog first.",
  "Rows on Thursdays.",
  "Will trade bugs for biscuits.",
  "New, so please say which kitchen.",
  "Knows where the spare cables are.",
  "Left-handed spanners only.",
  "Sings in the lift.",
  "Away in August.",
] as const;

export const statusMessages = [
  ["palm_tree", "Back on Monday"],
  ["thermometer", "Calibrating"],
  ["wrench", "In the lab"],
  ["coffee", "Reviewing all morning"],
  ["bus", "On the road"],
  ["mountain", "On a roof, call instead"],
  ["headphones", "Focus until noon"],
  ["rotating_light", "On call"],
] as const;
