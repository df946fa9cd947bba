import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

interface PlotProps {
  /** The accessible description of the plot, with the last value. */
  readonly label: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** Default: lines. */
  readonly shape?: "bars";
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

const height = 180;

/** A chart of values over time. Load it with `lazy`, so that pages without a chart do not load the library. */
export default function Plot({ label, times, series, shape }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const data = [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData;
  const names = series.map((each) => each.label).join("\n");
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const style = getComputedStyle(element);
    const colours = [style.getPropertyValue("--accent"), style.getPropertyValue("--warning")];
    const ink = style.getPropertyValue("--ink-weak");
    const bars = shape === "bars" ? uPlot.paths.bars?.({ size: [0.6, 60] }) : undefined;
    const axis = { stroke: ink, grid: { stroke: style.getPropertyValue("--line"), width: 1 } };
    const made = new uPlot(
      {
        ...{ width: element.clientWidth, height, legend: { show: true }, axes: [axis, axis] },
        series: [
          {},
          ...names.split("\n").map((name, index) => {
            const colour = colours[index] ?? ink;
            const line: uPlot.Series = { label: name, stroke: colour, width: 2 };
            return bars === undefined ? line : { ...line, fill: colour, paths: bars };
          }),
        ],
      },
      [[]],
      element,
    );
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [names, shape]);
  useEffect(() => plot.current?.setData(data));
  return <div class="plot" ref={place} role="img" aria-label={label} />;
}
