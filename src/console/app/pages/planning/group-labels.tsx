import { LabelList } from "../../parts/planning/label-list.tsx";
import { GroupHead } from "../../parts/project/group-head.tsx";
import type { PageProps } from "../index.ts";

/** The labels of a group. */
export default function GroupLabels({ params }: PageProps) {
  const id = Number(params.id);
  return (
    <>
      <GroupHead id={id} title="Labels" />
      <LabelList kind="groups" id={id} />
    </>
  );
}
