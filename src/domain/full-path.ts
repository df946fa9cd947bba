const reservedTopLevel = new Set([
  "-",
  ".well-known",
  "404.html",
  "422.html",
  "500.html",
  "502.html",
  "503.html",
  "admin",
  "api",
  "apple-touch-icon.png",
  "assets",
  "dashboard",
  "deploy.html",
  "explore",
  "favicon.ico",
  "favicon.png",
  "files",
  "groups",
  "health_check",
  "help",
  "import",
  "invites",
  "jwt",
  "login",
  "oauth",
  "profile",
  "projects",
  "public",
  "robots.txt",
  "s",
  "search",
  "sitemap",
  "sitemap.xml",
  "sitemap.xml.gz",
  "slash-command-logo.png",
  "snippets",
  "unsubscribes",
  "uploads",
  "users",
  "v2",
]);

const fileExtension =
  /\.(atom|git|avif|bmp|css|csv|gif|htm|html|ico|jpeg|jpg|js|json|md|pdf|png|rss|svg|text|tiff|txt|webp|xml|yaml|yml|zip)$/i;

/** Words that follow a project's path in URLs. */
const reservedInNamespaces = new Set([
  "-",
  "badges",
  "blame",
  "blob",
  "builds",
  "commits",
  "create",
  "create_dir",
  "edit",
  "files",
  "find_file",
  "new",
  "preview",
  "raw",
  "refs",
  "tree",
  "update",
  "wikis",
]);

/** The message for a path of an invalid form. */
export const pathFormatText =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";
const projectFormatText =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'";
const separatorText =
  "can only include non-accented letters, digits, '_', '-' and '.'. " +
  "It must not start with '-', '_', or '.', nor end with '-', '_', '.', '.git', or '.atom'.";

/**
 * Returns the errors of a username, or of the path of a group or project (users-and-auth 7). It may have letters, digits,
 * and single separators between them.
 */
export function pathFaults(path: string, of: "namespace" | "project" = "namespace"): string[] {
  const faults: string[] = [];
  if (!/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/i.test(path)) faults.push(separatorText);
  if (!hasPathForm(path) || (of === "namespace" && path.endsWith("."))) {
    faults.push(of === "namespace" ? pathFormatText : projectFormatText);
  }
  return faults;
}

/** True when a text has only the characters of a path, at allowed positions. */
export function hasPathForm(text: string): boolean {
  return /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(text) && !/\.(git|atom)$/i.test(text);
}

/** True when a text can be one segment of a path: a username, or the path of a group or project (users-and-auth 7). */
export function isPathSegment(text: string): boolean {
  return /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(text) && !text.endsWith(".") && !fileExtension.test(text);
}

/** True for words that URLs use below a namespace, so that no project and no subgroup may have them. */
export function isReservedInNamespace(path: string): boolean {
  return reservedInNamespaces.has(path.toLowerCase());
}

/** True for words that URLs use at the top level. */
export function isReservedTopLevel(path: string): boolean {
  return reservedTopLevel.has(path.toLowerCase());
}
