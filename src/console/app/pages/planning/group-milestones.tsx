import { MilestoneList } from "../../parts/planning/milestone-list.tsx";
import { GroupHead } from "../../parts/project/group-head.tsx";
import type { PageProps } from "../index.ts";

/** The milestones of a group. */
export default function GroupMilestones({ params }: PageProps) {
  const id = Number(params.id);
  return (
    <>
      <GroupHead id={id} title="Milestones" />
      <MilestoneList kind="groups" id={id} />
    </>
  );
}
