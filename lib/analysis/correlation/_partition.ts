import type { ClusterNode } from "./clustering.ts";
import { cutTree } from "./cut_tree.ts";

/** The category of a task. */
export function categoryOf(task: string, categories: Readonly<Record<string, string>>): string {
  const category = Object.hasOwn(categories, task) ? categories[task] : undefined;
  if (category === undefined) {
    throw new RangeError(
      `Cannot compare clusters with categories as each task must be one of ${
        Object.keys(categories).join(", ")
      }: current value is "${task}"`,
    );
  }
  return category;
}

/** The cluster of each row when a tree is cut. */
export function groupsOf(root: ClusterNode, count: number): readonly number[] {
  const groups: number[] = [];
  cutTree(root, count).forEach(({ members }, cluster) => members.forEach((member) => groups[member] = cluster));
  return groups;
}
