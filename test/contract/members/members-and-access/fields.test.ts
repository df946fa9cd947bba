import { describe, expect, test } from "bun:test";
import { groupRef, projectRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();
const ben = await world.user();

describe("optional fields", () => {
  test("show seats on request", async () => {
    const source = groupRef(putGroup(world));
    const blocked = await world.user();
    world.alter(blocked.id, { state: "blocked" });
    putMember(world, source, ann.id, 50);
    putMember(world, source, ben.id, 10);
    putMember(world, source, blocked.id, 30);
    for (const path of ["/members", "/members/all"]) {
      const { body } = await world.get(`/groups/${source.id}${path}`, { query: { show_seat_info: true } });
      expect(body.map(({ is_using_seat }: Json) => is_using_seat)).toEqual([true, false, false]);
      const without = await world.get(`/groups/${source.id}${path}`, { query: { show_seat_info: false } });
      expect(without.body[0]).not.toHaveProperty("is_using_seat");
    }
  });

  test("show the account's state, unless the membership is pending", async () => {
    const source = groupRef(putGroup(world));
    const blocked = await world.user();
    world.alter(blocked.id, { state: "blocked" });
    putMember(world, source, blocked.id, 30);
    expect((await world.get(`/groups/${source.id}/members/${blocked.id}`)).body).toMatchObject({
      state: "blocked",
      membership_state: "active",
    });
  });

  test("show address and identity of enterprise users to owners of their group and to administrators", async () => {
    const owned = putGroup(world);
    const inner = putProject(world, putGroup(world, { parent_id: owned.id }).id);
    const worker = await world.user();
    const identity = { provider: "group_saml", extern_uid: "w-7", saml_provider_id: null, group_id_for_saml: owned.id };
    world.alter(worker.id, { identities: [identity] });
    putMember(world, groupRef(owned), ann.id, 50);
    putMember(world, groupRef(owned), ben.id, 40);
    putMember(world, projectRef(inner), worker.id, 30);
    const entry = async (token: string, id: number) => {
      const { body } = await world.call("GET", `/projects/${inner.id}/members/all/${id}`, { token });
      return { email: body.email, group_saml_identity: body.group_saml_identity };
    };
    const shown = { extern_uid: "w-7", provider: "group_saml", saml_provider_id: expect.any(Number) };
    expect(await entry(ann.token, worker.id)).toEqual({ email: worker.email, group_saml_identity: shown });
    expect(await entry(ann.token, ben.id)).toEqual({ email: undefined, group_saml_identity: null });
    expect(await entry(rootToken, ben.id)).toEqual({ email: ben.email, group_saml_identity: null });
    expect(await entry(ben.token, worker.id)).toEqual({ email: undefined, group_saml_identity: undefined });
  });
});
