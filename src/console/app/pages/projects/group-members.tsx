import { AccessOf } from "../../parts/project/access.tsx";
import { GroupHead, useGroup } from "../../parts/project/group-head.tsx";
import type { PageProps } from "../index.ts";

/** The members of a group. */
export default function GroupMembers({ params }: PageProps) {
  const id = Number(params.id);
  const { data: group, reload } = useGroup(id);
  return (
    <>
      <GroupHead id={id} title="Members" />
      <AccessOf kind="groups" id={id} invited={group?.shared_with_groups} onChange={reload} />
    </>
  );
}
