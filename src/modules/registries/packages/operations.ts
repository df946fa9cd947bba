import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import { noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { requirePackageReader } from "./policy.ts";
import {
  presentGroupPackage,
  presentListedPackage,
  presentPackage,
  presentPackageFile,
  presentPackagePipeline,
} from "./present.ts";
import {
  FileOfPackageInPath,
  GroupPackage,
  ListedPackage,
  ListGroupPackages,
  ListPackageFiles,
  ListPackagePipelines,
  ListPackages,
  Package,
  PackageFile,
  PackageInPath,
  PackagePipeline,
} from "./schema.ts";
import {
  deletePackageFile,
  getPackage,
  getShownPackage,
  listPackageFiles,
  listPackagePipelines,
  listPackages,
  listProjectsWithPackages,
} from "./service.ts";
import { deletePackage } from "./service-deletion.ts";

const path = "/projects/:id/packages";
const onePath = `${path}/:package_id`;
const filesPath = `${onePath}/package_files`;

/** A caller who can see the project gets its packages, or an error if they are not visible to them. */
const readers = inProject(accessLevels.none, { anonymous: true });
const deleters = inProject(accessLevels.maintainer, { anonymous: true });
const common = { basicRealm: "outpost", takesJobToken: "packages" } as const;

/** triggers-and-pipelines 6. */
export const packageRegistryOperations = [
  operation({
    ...common,
    method: "GET",
    path,
    summary: "List the packages of a project",
    who: readers,
    params: ListPackages,
    answer: pageOf(ListedPackage),
    failures: ["forbidden"],
    handle(call) {
      const { context, project, params, page } = call;
      requirePackageReader(project);
      return mapPage(listPackages(context.store, [project], params, page), (each) =>
        presentListedPackage(each, call, { project }),
      );
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/packages",
    summary: "List the packages of a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: ListGroupPackages,
    answer: pageOf(GroupPackage),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const projects = listProjectsWithPackages(context, caller, group, params.exclude_subgroups === true);
      const found = listPackages(context.store, projects, params, page);
      return mapPage(found, (each) => presentGroupPackage(each, call));
    },
  }),

  operation({
    ...common,
    method: "GET",
    path: onePath,
    summary: "Get a package",
    who: readers,
    params: PackageInPath,
    answer: ok(Package),
    failures: ["forbidden"],
    handle(call) {
      const { context, project, params } = call;
      requirePackageReader(project);
      return presentPackage(getShownPackage(context.store, project, params.package_id), call, { project });
    },
  }),

  operation({
    ...common,
    method: "GET",
    path: filesPath,
    summary: "List the files of a package",
    who: readers,
    params: ListPackageFiles,
    answer: pageOf(PackageFile),
    failures: ["forbidden"],
    handle(call) {
      const { context, project, params, page } = call;
      requirePackageReader(project);
      const found = getPackage(context.store, project, params.package_id);
      const files = listPackageFiles(context.store, found, params, page);
      return mapPage(files, (each) => presentPackageFile(each, call));
    },
  }),

  operation({
    ...common,
    method: "GET",
    path: `${onePath}/pipelines`,
    summary: "List the pipelines of a package",
    who: readers,
    params: ListPackagePipelines,
    answer: pageOf(PackagePipeline, {
      keyset: {
        orders: [{ orderBy: "id", sort: ["desc"] }],
        defaults: { orderBy: "id", sort: "desc" },
        isAlways: true,
      },
    }),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requirePackageReader(project);
      const found = getShownPackage(context.store, project, params.package_id);
      const pipelines = listPackagePipelines(context, caller, found, page);
      return mapPage(pipelines, (each) => presentPackagePipeline(each, call));
    },
  }),

  operation({
    ...common,
    method: "DELETE",
    path: onePath,
    summary: "Delete a package",
    who: deleters,
    params: PackageInPath,
    answer: noContent(),
    handle({ context, caller, project, params, unmodifiedSince }) {
      requirePackageReader(project);
      deletePackage(context, caller, getPackage(context.store, project, params.package_id), unmodifiedSince);
    },
  }),

  operation({
    ...common,
    method: "DELETE",
    path: `${filesPath}/:package_file_id`,
    summary: "Delete a file of a package",
    who: deleters,
    params: FileOfPackageInPath,
    answer: noContent(),
    handle({ context, project, params, unmodifiedSince }) {
      requirePackageReader(project);
      const found = getPackage(context.store, project, params.package_id);
      deletePackageFile(context, found, params.package_file_id, unmodifiedSince);
    },
  }),
];
