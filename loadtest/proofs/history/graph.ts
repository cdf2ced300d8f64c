// Graphs of numbered nodes, as lists of successors: strong components and cycles.

/** The strongly connected components of two nodes or more (Tarjan, "Depth-first search and linear graph algorithms", without recursion). */
export function components(edges: readonly (readonly number[])[]): number[][] {
  const index = new Array<number>(edges.length).fill(-1);
  const low = new Array<number>(edges.length).fill(0);
  const onStack = new Array<boolean>(edges.length).fill(false);
  const stack: number[] = [];
  const found: number[][] = [];
  let next = 0;
  const enter = (node: number, path: [number, number][]) => {
    index[node] = low[node] = next++;
    stack.push(node);
    onStack[node] = true;
    path.push([node, 0]);
  };
  const leave = (node: number) => {
    if (low[node] !== index[node]) return;
    const component = stack.splice(stack.lastIndexOf(node));
    for (const member of component) onStack[member] = false;
    if (component.length > 1) found.push(component);
  };
  for (let root = 0; root < edges.length; root++) {
    if (index[root] !== -1) continue;
    const path: [node: number, nextEdge: number][] = [];
    enter(root, path);
    while (path.length > 0) {
      const top = path.at(-1)!;
      const [node, edge] = top;
      const successor = edges[node]![edge];
      if (successor === undefined) {
        path.pop();
        const parent = path.at(-1);
        if (parent !== undefined) low[parent[0]] = Math.min(low[parent[0]]!, low[node]!);
        leave(node);
        continue;
      }
      top[1]++;
      if (index[successor] === -1) enter(successor, path);
      else if (onStack[successor]) low[node] = Math.min(low[node]!, index[successor]!);
    }
  }
  return found;
}

/** A shortest cycle through `node` within its strongly connected component; the node comes first, and is not repeated. */
export function cycleThrough(edges: readonly (readonly number[])[], node: number, within: ReadonlySet<number>): number[] {
  const from = new Map<number, number>();
  const queue = [node];
  for (let i = 0; i < queue.length; i++) {
    for (const successor of edges[queue[i]!]!) {
      if (successor === node) {
        const path: number[] = [];
        for (let at: number | undefined = queue[i]; at !== undefined; at = from.get(at)) path.unshift(at);
        return path;
      }
      if (!within.has(successor) || from.has(successor)) continue;
      from.set(successor, queue[i]!);
      queue.push(successor);
    }
  }
  return [];
}
