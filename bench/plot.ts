// Draws plots as SVG, without a browser: ECharts renders on the server into text.

import { type EChartsOption, format, init } from 'echarts';

const PLOT_WIDTH = 1260;
const FONT = 'system-ui, sans-serif';

/** Draws a plot as SVG. @param title for readers who do not see it */
export function render(title: string, option: EChartsOption, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: PLOT_WIDTH, height });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: '#ffffff',
      textStyle: { fontFamily: FONT, fontSize: 13 },
      ...option,
    });
    return chart
      .renderToSVGString()
      .replace(/^<svg [^>]*>/, start => `${start}\n<title>${format.encodeHTML(title)}</title>`);
  } finally {
    chart.dispose();
  }
}
