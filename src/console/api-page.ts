import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { FileContent } from "../modules/kernel/operation.ts";
import ownStyle from "./api-page/page.css" with { type: "text" };
import template from "./api-page/page.html" with { type: "text" };
import ownScript from "./api-page/page.js" with { type: "text" };

/** A file of the page. Its bytes are read anew for each request: browsers keep them, so the server need not. */
interface PageFile {
  /** As the template calls it. */
  readonly name: string;
  readonly contentType: string;
  readonly read: () => Promise<Uint8Array<ArrayBuffer>> | string;
}

const scriptType = "text/javascript; charset=utf-8";
const styleType = "text/css; charset=utf-8";

const files: readonly PageFile[] = [
  { name: "swagger-ui.js", contentType: scriptType, read: () => Bun.file(script).bytes() },
  { name: "swagger-ui.css", contentType: styleType, read: () => Bun.file(style).bytes() },
  { name: "page.js", contentType: scriptType, read: () => ownScript },
  { name: "page.css", contentType: styleType, read: () => ownStyle },
];

/** Swagger UI draws its arrows from images in its style; it needs nothing inline, and nobody else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The API reference for people: Swagger UI from the executable. `basePath` is where the server lies below its host. */
export class ApiPage {
  readonly #basePath: string;
  /** By the last segment of their address, which carries a hash of the content and so may be kept for long. */
  #files: Promise<ReadonlyMap<string, PageFile>> | undefined;

  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  async html(): Promise<FileContent> {
    // The types know HTML imports as bundles only.
    let content = (template as unknown as string).replaceAll("{document}", `${this.#basePath}/-/openapi.json`);
    for (const [segment, { name }] of await this.#addressed()) {
      content = content.replaceAll(`{${name}}`, `${this.#basePath}/-/api/${segment}`);
    }
    return { contentType: "text/html; charset=utf-8", content, headers: { "Content-Security-Policy": policy } };
  }

  /** Undefined when no file of the page has this last segment. */
  async file(segment: string): Promise<FileContent | undefined> {
    const found = (await this.#addressed()).get(segment);
    return found === undefined ? undefined : { contentType: found.contentType, content: await found.read() };
  }

  #addressed(): Promise<ReadonlyMap<string, PageFile>> {
    this.#files ??= addressFiles();
    return this.#files;
  }
}

async function addressFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const addressed = files.map(async (file): Promise<[string, PageFile]> => {
    const hash = Bun.hash(await file.read()).toString(36);
    return [file.name.replace(".", `-${hash}.`), file];
  });
  return new Map(await Promise.all(addressed));
}
