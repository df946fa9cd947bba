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

/** The sentence that clients know for a path of a forbidden form. */
export const pathFormatText =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";

/** Whether a text can be one segment of a path: a username, or the path of a group or project (users-and-auth 7). */
export function isPathSegment(text: string): boolean {
  return /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(text) && !text.endsWith(".") && !fileExtension.test(text);
}

/** Words that routes of the platform need at the top level. */
export function isReservedTopLevel(path: string): boolean {
  return reservedTopLevel.has(path.toLowerCase());
}
