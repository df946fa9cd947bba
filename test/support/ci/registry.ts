import { type Answer, type CallOptions, rootToken, type World } from "../fixtures/world.ts";
import { digestOf, type Image, makeImage } from "./oci-layout.ts";

/** The registry of images, asked with a token as password. */
export function registryOf(world: World, token: string | undefined = rootToken) {
  const headers = (more: Readonly<Record<string, string>> = {}) =>
    token === "" ? more : { Authorization: `Basic ${btoa(`anybody:${token}`)}`, ...more };
  const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    world.call(method, `/v2/${path}`, { ...options, headers: headers(options.headers ?? {}) });
  const pathOf = (location: string | null) => new URL(location ?? "").pathname.replace("/v2/", "");
  const registry = {
    call,
    /** The path at which an upload continues. */
    async begin(name: string): Promise<string> {
      const { status, headers: answered, text } = await call("POST", `${name}/blobs/uploads/`);
      if (status !== 202) throw new Error(`no upload: ${status} ${text}`);
      return pathOf(answered.get("location"));
    },
    pushBlob: (name: string, raw: string | Uint8Array<ArrayBuffer>, digest = digestOf(raw)) =>
      call("POST", `${name}/blobs/uploads/?digest=${digest}`, { raw }),
    pushManifest: (name: string, reference: string, raw: string | Uint8Array<ArrayBuffer>, type = "") =>
      call("PUT", `${name}/manifests/${reference}`, {
        raw,
        ...(type === "" ? {} : { headers: { "Content-Type": type } }),
      }),
    /** Blobs, then the manifest under a tag. */
    async push(name: string, tag: string, image: Image = makeImage([tag])): Promise<Image> {
      for (const { digest } of [image.config, ...image.layers]) {
        const { status, text } = await registry.pushBlob(name, image.bytes.get(digest) ?? "");
        if (status !== 201) throw new Error(`no blob: ${status} ${text}`);
      }
      const { digest, mediaType } = image.manifest;
      const { status, text } = await registry.pushManifest(name, tag, image.bytes.get(digest) ?? "", mediaType);
      if (status !== 201) throw new Error(`no manifest: ${status} ${text}`);
      return image;
    },
  };
  return registry;
}
