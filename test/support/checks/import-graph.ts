import { dirname, join, relative } from "node:path";
import { Glob } from "bun";

/** The files that each file imports, by paths below a folder. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Imports and exports of files, those of types alone and those that are made while the program runs included. */
const specifier = /\bfrom\s*"(\.[^"]+)"|\bimport\s*\(?\s*"(\.[^"]+)"/g;

/** Reads all TypeScript files of a folder. */
export async function readImports(folder: string): Promise<ImportGraph> {
  const graph = new Map<string, readonly string[]>();
  for await (const file of new Glob("**/*.ts").scan(folder)) {
    graph.set(file, importsIn(await Bun.file(join(folder, file)).text(), file));
  }
  return graph;
}

/** The files that a file imports by relative paths. */
export function importsIn(text: string, file: string): string[] {
  return [...text.matchAll(specifier)].map(([, from, imported]) =>
    relative(".", join(dirname(file), (from ?? imported) as string)),
  );
}

/**
 * The strongly connected components of more than one file (Tarjan's algorithm), the largest first: in each, every file
 * imports every other one, if only through others.
 */
export function circlesIn(graph: ImportGraph): string[][] {
  const circles: string[][] = [];
  const indexes = new Map<string, number>();
  const finished = new Set<string>();
  const stack: string[] = [];
  const visit = (file: string): number => {
    const index = indexes.size;
    indexes.set(file, index);
    stack.push(file);
    let low = index;
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!indexes.has(next)) low = Math.min(low, visit(next));
      else if (!finished.has(next)) low = Math.min(low, indexes.get(next) as number);
    }
    if (low < index) return low;
    const circle = stack.splice(stack.indexOf(file));
    for (const each of circle) finished.add(each);
    if (circle.length > 1) circles.push(circle.toSorted());
    return low;
  };
  for (const file of graph.keys()) if (!indexes.has(file)) visit(file);
  return circles.toSorted((one, other) => other.length - one.length);
}
