// What the files among the examples ask of Prometheus.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folder of the files. */
export const MONITORING = resolve(import.meta.dirname, '../../docs/examples/monitoring');

interface Panel {
  gridPos: { x: number; y: number };
  targets: { expr: string }[];
}

/** The panels of the dashboard. */
export function panelsOfDashboard(): Panel[] {
  return JSON.parse(readFileSync(join(MONITORING, 'dashboard.json'), 'utf8')).panels;
}

/** Every query of the dashboard, with a minute where Grafana puts a time. */
export function queriesOfDashboard(): string[] {
  return panelsOfDashboard().flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll(/\$__(?:rate_interval|range)/g, '1m')),
  );
}

/** Every rule, with its query. */
export function queriesOfAlerts(): { alert: string; query: string }[] {
  const text = readFileSync(join(MONITORING, 'alerts.yml'), 'utf8');
  return [...text.matchAll(/^ +- alert: (\w+)\n +expr: (.+)$/gm)].map(([, alert, query]) => ({ alert, query }));
}
