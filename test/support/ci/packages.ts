import { freshNumber } from "../checks/fresh-number.ts";
import { type Answer, type CallOptions, type Json, rootToken, type World } from "../fixtures/world.ts";

export const genericPath = (projectId: number, file: string) => `/projects/${projectId}/packages/generic/${file}`;

/** Uploads a file to `name/version/file`; its bytes are its name unless given. */
export function uploadTo(
  world: World,
  projectId: number,
  file: string,
  { raw = file, token = rootToken, ...options }: CallOptions = {},
): Promise<Answer> {
  const given = options.headers === undefined ? { token } : {};
  return world.call("PUT", genericPath(projectId, file), { ...given, ...options, raw });
}

/** A package of its own with one file, as its own operation shows it. */
export async function makePackage(world: World, projectId: number, file = "app/1.0/app.bin"): Promise<Json> {
  const [name = "", ...rest] = file.split("/");
  const whole = `${name}${freshNumber(world)}/${rest.join("/")}`;
  const { status, body, text } = await uploadTo(world, projectId, whole, { query: { select: "package_file" } });
  if (status !== 200) throw new Error(`no package: ${status} ${text}`);
  return { id: body.package_id, fileId: body.id, file: whole };
}
