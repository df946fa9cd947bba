import { answerOf, client } from "../../api/client.ts";
import { Facts } from "../../parts/facts.tsx";
import { Moment } from "../../parts/moment.tsx";
import { MemberList } from "../../parts/project/member-list.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { hrefOf } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

/** One group: what it is, and its members. */
export default function Group({ params }: PageProps) {
  const id = Number(params.id);
  const { data: group, refusal } = useAnswer(String(id), () =>
    answerOf(client.GET("/api/v4/groups/{id}", { params: { path: { id } } })),
  );
  if (group === undefined) {
    return (
      <>
        <h1>Group</h1>
        {refusal === "" ? <p role="status">Loading…</p> : <Refusal text={refusal} />}
      </>
    );
  }
  return (
    <>
      <h1>
        <bdi>{group.full_name}</bdi>
      </h1>
      <Facts
        of={[
          ["Path", group.full_path],
          ["Visibility", group.visibility],
          ["Since", <Moment key="since" at={group.created_at} />],
          ["Storage", group.repository_storage ?? "not shown"],
          [
            "Above",
            group.parent_id === null ? (
              "nothing"
            ) : (
              <a key="above" href={hrefOf(`/groups/${group.parent_id}`)}>
                the group above
              </a>
            ),
          ],
        ]}
      />
      <h2>Members</h2>
      <MemberList kind="groups" id={id} />
    </>
  );
}
