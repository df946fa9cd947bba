import { readdir } from "node:fs/promises";
import { listAll, rootHeaders } from "./fault-client.ts";
import type { Json } from "./json.ts";
import { createRandom } from "./random.ts";

export interface Move {
  readonly id: number;
  readonly state: string;
  readonly source_storage_name: string;
  readonly destination_storage_name: string;
  readonly error_message: string | null;
  readonly project: { readonly id: number };
}

export interface Asked {
  readonly status: number;
  readonly body: Json;
}

/** One request by root. Throws when the connection breaks. */
export async function ask(origin: string, method: string, path: string, json?: object): Promise<Asked> {
  const answer = await fetch(`${origin}/api/v4${path}`, {
    method,
    headers: rootHeaders,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

export function commitFile(origin: string, project: number, path: string, content: string): Promise<Asked> {
  const at = `/projects/${project}/repository/files/${encodeURIComponent(path)}`;
  return ask(origin, "POST", at, { branch: "main", commit_message: `Add ${path}`, content });
}

/** Projects on `default`, each with a number of files that no one can compress. Returns their ids. */
export async function fillProjects(
  origin: string,
  count: number,
  { files, bytes, prefix = "p" }: { files: number; bytes: number; prefix?: string },
): Promise<number[]> {
  const random = createRandom(7);
  const ids: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const { status, body } = await ask(origin, "POST", "/projects", {
      path: `${prefix}${at}`,
      repository_storage: "default",
    });
    if (status !== 201) throw new Error(`no project: ${status} ${JSON.stringify(body)}`);
    for (let file = 0; file < files; file += 1) {
      const content = Buffer.from(Array.from({ length: bytes }, () => random.integer(0, 255))).toString("base64");
      const made = await commitFile(origin, body.id, `file${file}`, content);
      if (made.status !== 201) throw new Error(`no file: ${made.status} ${JSON.stringify(made.body)}`);
    }
    ids.push(body.id);
  }
  return ids;
}

/** Every move that the server knows, newest first. */
export function listMoves(origin: string): Promise<Move[]> {
  return listAll<Move>(origin, "/project_repository_storage_moves?per_page=100");
}

export const isOver = ({ state }: Move) => ["finished", "failed", "cleanup failed"].includes(state);

/** Folders of repositories below a storage by their names, whole ones and others, and who has them. */
export async function foldersIn(storage: string): Promise<string[]> {
  const names = await readdir(storage, { recursive: true });
  return names.filter((name) => /^@hashed\/..\/..\/[^/]+$/.test(name));
}
