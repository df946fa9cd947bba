import type { SubjectRef } from "../../../../src/domain/subject.ts";
import { awardEmoji } from "../../../../src/modules/discussions/award-emoji/records.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import type { MakeSample, Place, Samples, Scene } from "../scene.ts";

/** Something to react to: its path, and what it is. */
type MakeAwardable = (place: Place) => Promise<{ readonly path: string; readonly subject: SubjectRef }>;

export function awardEmojiSamples({ world }: Scene): Samples {
  const made = async (path: string, json: object) => {
    const { body } = await world.call("POST", path, { token: rootToken, json });
    return body;
  };
  const issueIn: MakeAwardable = async ({ projectId }) => {
    const { id, iid } = await made(`/projects/${projectId}/issues`, { title: "an issue" });
    return { path: `/projects/${projectId}/issues/${iid}`, subject: { type: "Issue", id } };
  };
  const noteIn: MakeAwardable = async (place) => {
    const { path } = await issueIn(place);
    const { id } = await made(`${path}/notes`, { body: "a note" });
    return { path: `${path}/notes/${id}`, subject: { type: "Note", id } };
  };
  const snippetIn: MakeAwardable = async ({ projectId }) => {
    const json = { title: "a snippet", file_name: "a.txt", content: "text", visibility: "public" };
    const { id } = await made(`/projects/${projectId}/snippets`, json);
    return { path: `/projects/${projectId}/snippets/${id}`, subject: { type: "Snippet", id } };
  };
  /** The caller's own reaction, straight in the store: strangers must find something too. */
  const onOwn =
    (make: MakeAwardable): MakeSample =>
    async (caller, place) => {
      const { path, subject } = await make(place);
      const { id } = world.store.transact((tx) =>
        tx.insert(awardEmoji, {
          id: tx.nextId("award_emoji"),
          awardable_type: subject.type,
          awardable_id: subject.id,
          user_id: caller.id,
          name: "star",
          created_at: world.clock.time(),
          updated_at: world.clock.time(),
        }),
      );
      return { path: `${path}/award_emoji/${id}` };
    };
  const on = (declared: string, make: MakeAwardable): Samples => ({
    [`GET ${declared}/award_emoji`]: async (_, place) => ({ path: `${(await make(place)).path}/award_emoji` }),
    [`POST ${declared}/award_emoji`]: async (_, place) => ({
      path: `${(await make(place)).path}/award_emoji`,
      options: { json: { name: "rocket" } },
    }),
    [`GET ${declared}/award_emoji/:award_id`]: onOwn(make),
    [`DELETE ${declared}/award_emoji/:award_id`]: onOwn(make),
  });

  return {
    ...on("/projects/:id/issues/:issue_iid", issueIn),
    ...on("/projects/:id/issues/:issue_iid/notes/:note_id", noteIn),
    ...on("/projects/:id/snippets/:snippet_id", snippetIn),
  };
}
