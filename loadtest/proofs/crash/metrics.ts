// The metrics of a gateway, by name.

export async function metricsOf(rest: string): Promise<(name: string) => number> {
  const metrics = await (await fetch(`${rest}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1] ?? NaN);
}
