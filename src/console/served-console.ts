import type { ConsolePages } from "../modules/kernel/context.ts";
import type { FileContent } from "../modules/kernel/operation.ts";
import type { ConsoleFile } from "./build/bundle.ts";
import { builtFiles } from "./built-files.ts";
import { contentOf, typeOf } from "./coded-file.ts";
import template from "./console.html" with { type: "text" };

/** Scripts and styles come only from the server, none is inline, and no text becomes markup (console 4). */
const policy = [
  "default-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The console as browsers get it. `basePath` is the path of the server below its host. */
export class ServedConsole implements ConsolePages {
  readonly #basePath: string;
  #files: Promise<readonly ConsoleFile[]> | undefined;

  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  async page(): Promise<FileContent> {
    const files = await this.#all();
    const addressOf = (role: ConsoleFile["role"]) =>
      `${this.#basePath}/-/console/assets/${files.find((file) => file.role === role)?.name}`;
    // The types know HTML imports only as bundles.
    const content = (template as unknown as string)
      .replaceAll("{script}", addressOf("script"))
      .replaceAll("{style}", addressOf("style"))
      .replaceAll("{icon}", addressOf("icon"))
      .replaceAll("{base}", this.#basePath);
    return { contentType: "text/html; charset=utf-8", content, headers: { "Content-Security-Policy": policy } };
  }

  async asset(name: string, acceptEncoding: string | null): Promise<FileContent | undefined> {
    const file = (await this.#all()).find((each) => each.name === name);
    return file === undefined ? undefined : contentOf(file, typeOf(name), acceptEncoding);
  }

  #all(): Promise<readonly ConsoleFile[]> {
    this.#files ??= builtFiles === undefined ? bundleNow() : Promise.resolve(builtFiles);
    return this.#files;
  }
}

async function bundleNow(): Promise<readonly ConsoleFile[]> {
  const { bundledFiles } = await import("./build/bundle.ts");
  return bundledFiles();
}
