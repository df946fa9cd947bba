import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The settings for a proxy as the manual has them, which is what the tests run. */
export function settingsInManual(language: "nginx" | "caddy"): string {
  const page = readFileSync(join(import.meta.dir, "../../../src/cli/manual/proxy.md"), "utf8");
  const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1];
  if (found === undefined) throw new Error(`proxy.md has no settings for ${language}`);
  return found;
}

/** Puts what is here in the place of what stands in the settings. Throws for what does not stand there. */
export function withValues(settings: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the settings have no ${from}`);
    return text.replaceAll(from, to);
  }, settings);
}
