/** Someone of the demo: what `POST /users` takes, and whether a personal access token is made for them. */
export interface DemoPerson {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly job_title: string;
  readonly location: string;
  readonly bio: string;
  readonly admin?: true;
  readonly external?: true;
  readonly token?: { readonly name: string; readonly scopes: readonly string[] };
}

/** The staff of a small maker of weather stations. */
export const demoPeople: readonly DemoPerson[] = [
  {
    username: "mara.quist",
    name: "Mara Quist",
    email: "mara@skylark.example",
    job_title: "Head of engineering",
    location: "Bergen",
    bio: "Keeps the roadmap short and the releases boring.",
    admin: true,
    token: { name: "mara's laptop", scopes: ["api"] },
  },
  {
    username: "tomas",
    name: "Tomás Herrera",
    email: "tomas@skylark.example",
    job_title: "Firmware developer",
    location: "Valparaíso",
    bio: "Barometers, bootloaders and bread.",
    token: { name: "nightly build", scopes: ["read_api"] },
  },
  {
    username: "ines_moreau",
    name: "Inès Moreau",
    email: "ines@skylark.example",
    job_title: "Data scientist",
    location: "Lyon",
    bio: "Turns wind into tables.",
  },
  {
    username: "kofi-a",
    name: "Kofi Asante",
    email: "kofi@skylark.example",
    job_title: "Site reliability engineer",
    location: "Accra",
    bio: "On call this week. Be kind.",
  },
  {
    username: "yuki.tanabe",
    name: "Yuki Tanabe",
    email: "yuki@skylark.example",
    job_title: "Product designer",
    location: "Sapporo",
    bio: "Draws first, asks later.",
  },
  {
    username: "priya",
    name: "Priya Raman",
    email: "priya@fieldwork.example",
    job_title: "Installer, Fieldwork Ltd",
    location: "Pune",
    bio: "Puts the stations on the roofs.",
    external: true,
  },
];
