import { notes } from "../../../../src/modules/discussions/notes/records.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import type { MakeSample, Place, Samples, Scene } from "../scene.ts";

export function noteSamples({ world }: Scene): Samples {
  const issueIn = async ({ projectId }: Place) => {
    const json = { title: "an issue" };
    const { body } = await world.call("POST", `/projects/${projectId}/issues`, { token: rootToken, json });
    return { id: body.id, path: `/projects/${projectId}/issues/${body.iid}` };
  };
  const onNotes =
    (json?: object): MakeSample =>
    async (_, place) => ({ path: `${(await issueIn(place)).path}/notes`, options: json === undefined ? {} : { json } });
  /** The caller's own note, straight in the store: strangers must find something too. */
  const onOwnNote =
    (json?: object): MakeSample =>
    async (caller, place) => {
      const { id: noteable_id, path } = await issueIn(place);
      const { id } = world.store.transact((tx) => {
        const issue = world.store.of(issues).get(noteable_id);
        if (issue !== undefined) tx.update(issues, { ...issue, user_notes_count: 1 });
        return tx.insert(notes, {
          id: tx.nextId("notes"),
          noteable_type: "Issue",
          noteable_id,
          author_id: caller.id,
          body: "a note",
          system: false,
          internal: false,
          created_at: world.clock.time(),
          updated_at: world.clock.time(),
        });
      });
      return { path: `${path}/notes/${id}`, options: json === undefined ? {} : { json } };
    };
  const single = "/projects/:id/issues/:issue_iid/notes/:note_id";

  return {
    "GET /projects/:id/issues/:issue_iid/notes": onNotes(),
    "POST /projects/:id/issues/:issue_iid/notes": onNotes({ body: "new" }),
    [`GET ${single}`]: onOwnNote(),
    [`PUT ${single}`]: onOwnNote({ body: "newer" }),
    [`DELETE ${single}`]: onOwnNote(),
  };
}
