import type { ComponentType } from "preact";
import { lazy } from "../parts/lazy.tsx";
import { isSandbox } from "../state/sandbox.ts";
import { me } from "../state/session.ts";

/** The properties of a page: the parameters of its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

export interface Page {
  /** The path below the console. `:name` stands for one segment. */
  readonly path: string;
  readonly title: string;
  /** The letter that opens the page after `g`. Pages with one are in the navigation. */
  readonly key?: string;
  readonly component: ComponentType<PageProps>;
  /** True when the navigation shows the page to this user. Default: always. */
  readonly isShown?: () => boolean;
  /** True when the page needs no sign-in. */
  readonly isOpen?: boolean;
}

type Load = () => Promise<{ readonly default: ComponentType<PageProps> }>;

const page = (path: string, title: string, load: Load, key?: string): Page => ({
  ...{ path, title, component: lazy(load) },
  ...(key === undefined ? {} : { key }),
});

const choice =
  (title: string, below: string): Load =>
  async () => ({ default: (await import("./projects/choice.tsx")).choiceOfProject(title, below) });

const forAdministrators = (shown: Page): Page => ({ ...shown, isShown: () => me().is_admin });

/** All pages. Those of the navigation are in its order. */
export const pages: readonly Page[] = [
  page("/", "Overview", () => import("./overview/overview.tsx"), "o"),
  page("/people", "People", () => import("./people/people.tsx"), "p"),
  page("/people/:id", "Person", () => import("./people/person.tsx")),
  page("/projects", "Groups and projects", () => import("./projects/projects.tsx"), "g"),
  page("/groups/:id", "Group", () => import("./projects/group.tsx")),
  page("/projects/:id", "Project", () => import("./projects/project.tsx")),
  page("/groups/:id/labels", "Labels", () => import("./planning/group-labels.tsx")),
  page("/groups/:id/milestones", "Milestones", () => import("./planning/group-milestones.tsx")),
  page("/groups/:id/epics", "Epics", () => import("./planning/epics.tsx")),
  page("/groups/:id/members", "Members", () => import("./projects/group-members.tsx")),
  page("/projects/:id/files", "Files", () => import("./projects/files.tsx")),
  page("/projects/:id/branches", "Branches", () => import("./projects/branches.tsx")),
  page("/projects/:id/commits", "Commits", () => import("./projects/commits.tsx")),
  page("/projects/:id/members", "Members", () => import("./projects/members.tsx")),
  page("/projects/:id/issues", "Issues", () => import("./planning/project-issues.tsx")),
  page("/projects/:id/issues/:iid", "Issue", () => import("./planning/issue.tsx")),
  page("/projects/:id/labels", "Labels", () => import("./planning/project-labels.tsx")),
  page("/projects/:id/milestones", "Milestones", () => import("./planning/project-milestones.tsx")),
  page("/projects/:id/runners", "Runners", () => import("./ci/project-runners.tsx")),
  page("/projects/:id/pipelines", "Pipelines", () => import("./ci/pipelines.tsx")),
  page("/projects/:id/pipelines/:pipeline", "Pipeline", () => import("./ci/pipeline.tsx")),
  page("/projects/:id/jobs/:job", "Job", () => import("./ci/job.tsx")),
  page("/projects/:id/alerts", "Alerts", () => import("./monitoring/alerts.tsx")),
  page("/projects/:id/errors", "Errors", () => import("./monitoring/errors.tsx")),
  page("/issues", "Issues", () => import("./planning/issues.tsx"), "i"),
  page("/pipelines", "Pipelines", choice("Pipelines", "pipelines"), "c"),
  forAdministrators(page("/runners", "Runners", () => import("./ci/runners.tsx"), "w")),
  page("/alerts", "Alerts and errors", choice("Alerts and errors", "alerts"), "a"),
  { ...page("/new-password", "Choose a password", () => import("./account/new-password.tsx")), isOpen: true },
  {
    ...page("/forgotten-password", "Forgotten password", () => import("./account/forgotten-password.tsx")),
    isOpen: true,
  },
  { ...page("/confirmation", "Confirm an address", () => import("./account/confirmation.tsx")), isOpen: true },
  page("/profile", "Your account", () => import("./account/profile.tsx"), "y"),
  page("/profile/password", "Password", () => import("./account/password.tsx")),
  page("/profile/tokens", "Access tokens", () => import("./account/tokens.tsx")),
  page("/profile/notifications", "Notifications", () => import("./account/notifications.tsx")),
  page("/sessions", "Sessions", () => import("./people/sessions.tsx"), "s"),
  page("/go", "Looking for the page", () => import("./elsewhere/go-to.tsx")),
  page("/answer", "Answer of the API", () => import("./elsewhere/answer.tsx")),
  page("/welcome", "Choose a password", () => import("./people/welcome.tsx")),
  forAdministrators(page("/storage-moves", "Storage moves", () => import("./administration/storage-moves.tsx"), "m")),
  forAdministrators(page("/flags", "Feature flags", () => import("./administration/flags.tsx"), "f")),
  forAdministrators(page("/audit", "Audit events", () => import("./administration/audit.tsx"), "u")),
  forAdministrators(page("/mails", "Mails", () => import("./administration/mails.tsx"), "e")),
  forAdministrators(page("/jobs", "Background jobs", () => import("./administration/jobs.tsx"), "j")),
  forAdministrators(page("/requests", "Requests", () => import("./administration/requests/requests.tsx"), "q")),
  forAdministrators(page("/data", "Data", () => import("./administration/data/data.tsx"), "d")),
  forAdministrators(page("/data/:name", "Collection", () => import("./administration/data/collection.tsx"))),
  forAdministrators(page("/backups", "Backups", () => import("./administration/backups.tsx"), "b")),
  forAdministrators(page("/unknown-calls", "Unknown calls", () => import("./administration/unknown-calls.tsx"), "n")),
  forAdministrators(page("/settings", "Application settings", () => import("./administration/settings.tsx"), "t")),
  forAdministrators(
    page("/settings/start", "Settings of the start", () => import("./administration/start-settings.tsx")),
  ),
  page("/permissions", "Permissions", () => import("./administration/permissions.tsx"), "r"),
  {
    ...page("/sandbox", "Sandbox", () => import("./administration/sandbox/sandbox.tsx"), "x"),
    isShown: () => isSandbox.value && me().is_admin,
  },
];
