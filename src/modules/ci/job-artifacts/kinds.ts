/** The kinds of files that a job leaves, with the format and the name that a runner gives each. */

export const formats = ["raw", "zip", "gzip"] as const;
export type Format = (typeof formats)[number];

export interface Kind {
  readonly format: Format;
  /** null: the runner's own. */
  readonly filename: string | null;
}

const kind = (format: Format, filename: string | null): Kind => ({ format, filename });

const kinds = {
  archive: kind("zip", null),
  metadata: kind("gzip", null),
  trace: kind("raw", null),
  junit: kind("gzip", "junit.xml"),
  metrics: kind("gzip", "metrics.txt"),
  metrics_referee: kind("gzip", null),
  network_referee: kind("gzip", null),
  dotenv: kind("gzip", ".env"),
  cobertura: kind("gzip", "cobertura-coverage.xml"),
  jacoco: kind("gzip", "jacoco-coverage.xml"),
  cluster_applications: kind("gzip", "gl-cluster-applications.json"),
  lsif: kind("zip", "lsif.json"),
  scip: kind("zip", "index.scip"),
  cyclonedx: kind("gzip", "gl-sbom.cdx.json"),
  annotations: kind("gzip", "gl-annotations.json"),
  repository_xray: kind("gzip", "gl-repository-xray.json"),
  sast: kind("raw", "gl-sast-report.json"),
  secret_detection: kind("raw", "gl-secret-detection-report.json"),
  dependency_scanning: kind("raw", "gl-dependency-scanning-report.json"),
  container_scanning: kind("raw", "gl-container-scanning-report.json"),
  cluster_image_scanning: kind("raw", "gl-cluster-image-scanning-report.json"),
  dast: kind("raw", "gl-dast-report.json"),
  license_scanning: kind("raw", "gl-license-scanning-report.json"),
  accessibility: kind("raw", "gl-accessibility.json"),
  codequality: kind("raw", "gl-code-quality-report.json"),
  performance: kind("raw", "performance.json"),
  browser_performance: kind("raw", "browser-performance.json"),
  load_performance: kind("raw", "load-performance.json"),
  terraform: kind("raw", "tfplan.json"),
  requirements: kind("raw", "requirements.json"),
  requirements_v2: kind("raw", "requirements_v2.json"),
  coverage_fuzzing: kind("raw", "gl-coverage-fuzzing.json"),
  api_fuzzing: kind("raw", "gl-api-fuzzing-report.json"),
  sarif: kind("raw", "gl-sarif-report.sarif"),
} as const satisfies Readonly<Record<string, Kind>>;

export type ArtifactType = keyof typeof kinds;
export const artifactTypes = Object.keys(kinds) as readonly ArtifactType[];

export function kindOf(type: string): Kind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type as ArtifactType] : undefined;
}
