import type { FileContent } from "../modules/kernel/operation.ts";
import { firstContents, type PageTexts } from "./api-page/first-contents.ts";
import template from "./api-page/page.html" with { type: "text" };
import type { PageFile } from "./build/bundle.ts";
import { builtPageFiles } from "./built-files.ts";
import { type CodedFile, contentOf, inMemory, typeOf } from "./coded-file.ts";

/** Swagger UI's styles contain its arrow images. It needs no inline scripts and no other host. */
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

/** The API reference for browsers: Swagger UI from the executable. `basePath` is the path of the server below its host. */
export class ApiPage {
  readonly #basePath: string;
  readonly #texts: PageTexts;
  #files: Promise<readonly PageFile[]> | undefined;
  #html: Promise<CodedFile> | undefined;

  constructor(basePath: string, texts: PageTexts) {
    this.#basePath = basePath;
    this.#texts = texts;
  }

  /** Returns the page in a content coding that `acceptEncoding` allows. */
  async html(acceptEncoding: string | null): Promise<FileContent> {
    this.#html ??= this.#makeHtml();
    const content = await contentOf(await this.#html, "text/html; charset=utf-8", acceptEncoding);
    return { ...content, headers: { ...content.headers, "Content-Security-Policy": policy } };
  }

  /** Returns a file of the page in a content coding that `acceptEncoding` allows; undefined for an unknown name. */
  async file(name: string, acceptEncoding: string | null): Promise<FileContent | undefined> {
    const found = (await this.#all()).find((each) => each.name === name);
    return found === undefined ? undefined : contentOf(found, typeOf(name), acceptEncoding);
  }

  async #makeHtml(): Promise<CodedFile> {
    // The types know HTML imports only as bundles.
    let content = (template as unknown as string)
      .replaceAll("{base}", this.#basePath)
      .replace("{contents}", () => firstContents(this.#texts));
    for (const { name, role } of await this.#all()) {
      content = content.replaceAll(`{${role}}`, `${this.#basePath}/-/api/${name}`);
    }
    return inMemory(new TextEncoder().encode(content));
  }

  #all(): Promise<readonly PageFile[]> {
    this.#files ??= builtPageFiles === undefined ? collectNow() : Promise.resolve(builtPageFiles);
    return this.#files;
  }
}

async function collectNow(): Promise<readonly PageFile[]> {
  const { pageFiles } = await import("./build/bundle.ts");
  return pageFiles();
}
