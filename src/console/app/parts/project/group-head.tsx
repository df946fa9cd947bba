import type { ComponentChildren } from "preact";
import { answerOf, client } from "../../api/client.ts";
import { useAnswer } from "../hooks/use-answer.ts";
import { Refusal } from "../refusal.tsx";
import { PageHead } from "./project-head.tsx";
import { Tabs } from "./tabs.tsx";

/** The tabs of a group, below its address. */
const tabs = [
  ["", "Group"],
  ["/labels", "Labels"],
  ["/milestones", "Milestones"],
  ["/epics", "Epics"],
  ["/members", "Members"],
] as const;

interface GroupHeadProps {
  readonly id: number;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The heading of a group's page, like `ProjectHead`. */
export function GroupHead({ id, title, children }: GroupHeadProps) {
  const { data: group, refusal } = useGroup(id);
  return (
    <>
      <Tabs label="Group" name={group?.full_name ?? ""} base={`/groups/${id}`} tabs={tabs} />
      <PageHead title={title}>{children}</PageHead>
      <Refusal text={refusal} />
    </>
  );
}

export function useGroup(id: number) {
  return useAnswer(`group ${id}`, () => answerOf(client.GET("/api/v4/groups/{id}", { params: { path: { id } } })));
}
