import { z } from 'zod';

/** What npm says of one package: the advisories about it, or the names of packages that it brings along. */
const Vulnerability = z.looseObject({
  name: z.string(),
  severity: z.string(),
  range: z.string(),
  via: z.array(
    z.union([z.string(), z.looseObject({ title: z.string(), url: z.string(), severity: z.string() })]),
  ),
});

const AuditReport = z.looseObject({
  vulnerabilities: z.record(z.string(), Vulnerability),
  metadata: z.looseObject({ dependencies: z.looseObject({ total: z.number() }) }),
});

/** What npm says where there was no report. */
const AuditFailure = z.looseObject({
  message: z.string().optional(),
  statusCode: z.number().optional(),
  error: z.looseObject({ summary: z.string().optional() }).optional(),
});

/** An advisory that is known and does no harm here, until somebody has to look again. */
export interface Accepted {
  /** Its address. */
  url: string;
  reason: string;
  /** The last day, as 2026-01-31. */
  until: string;
}

interface Finding {
  package: string;
  severity: string;
  title: string;
  url: string;
}

/** What an audit found; or why there was none. */
export type Judgement =
  | { packages: number; findings: Finding[]; accepted: Finding[]; unused: Accepted[] }
  | { notRun: string };

/** Judges what `npm audit --json` printed, on a day. */
export function judge(printed: string, accepted: readonly Accepted[], today: string): Judgement {
  const said = parse(printed);
  const report = AuditReport.safeParse(said);
  if (!report.success) return { notRun: whyNot(said) };
  const { vulnerabilities, metadata } = report.data;
  const all = Object.values(vulnerabilities).flatMap(({ name, via }) =>
    via.flatMap((advisory): Finding[] =>
      typeof advisory === 'string'
        ? []
        : [{ package: name, severity: advisory.severity, title: advisory.title, url: advisory.url }],
    ),
  );
  const inForce = accepted.filter(({ until }) => until >= today);
  const isAccepted = ({ url }: Finding) => inForce.some((one) => one.url === url);
  return {
    packages: metadata.dependencies.total,
    findings: all.filter((finding) => !isAccepted(finding)),
    accepted: all.filter(isAccepted),
    unused: accepted.filter(({ url }) => all.every((finding) => finding.url !== url)),
  };
}

function parse(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return null;
  }
}

function whyNot(said: unknown): string {
  const failure = AuditFailure.safeParse(said);
  const { statusCode, message, error } = failure.data ?? {};
  const reason =
    statusCode === undefined
      ? error?.summary || message || 'npm printed no report'
      : `the registry answers ${statusCode}`;
  return `The registry offers no advisories (${reason}), so nothing is known of the packages.`;
}
