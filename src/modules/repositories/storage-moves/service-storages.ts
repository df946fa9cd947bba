import type { Static } from "@sinclair/typebox";
import { diskSpaceOf } from "../../../store/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { snippets } from "../snippets/records.ts";
import type { StorageUse } from "./schema.ts";

/** `GET /-/storages`: in the order of the setting. */
export function listStorages({ store, repositories }: Context): Static<typeof StorageUse>[] {
  return [...repositories.storageFolders].map(([name, folder]) => {
    const disk = diskSpaceOf(folder);
    return {
      name,
      projects: store.of(projects).by.repository_storage.find(name).size,
      snippets: store.of(snippets).by.repository_storage.find(name).size,
      groups: store.of(groups).by.repository_storage.find(name).size,
      disk_bytes: disk?.sizeBytes ?? null,
      free_bytes: disk?.freeBytes ?? null,
    };
  });
}
