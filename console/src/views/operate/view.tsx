// Operate: what the service does and what somebody does for it. Each page has its own part of the address.

import plotStyle from 'uplot/dist/uPlot.min.css?url';
import { loadStyle } from '../../map/load_style.ts';
import { hashOf, route } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { ViewHead } from '../../ui/view_head.tsx';
import { CarePage } from './care_page.tsx';
import { DataPage } from './data_page.tsx';
import { KeysPage } from './keys_page.tsx';
import { LogPage } from './log_page.tsx';
import { NowPage } from './now_page.tsx';
import style from './operate.css?url';

const text = strings.operate;
const PAGES = { now: NowPage, keys: KeysPage, data: DataPage, log: LogPage, care: CarePage };

// Without its style the view would jump.
await Promise.all([loadStyle(plotStyle), loadStyle(style)]);

/** The view. */
export default function OperateView() {
  const asked = route.value.parameters.get('page') ?? 'now';
  const id = Object.hasOwn(PAGES, asked) ? (asked as keyof typeof PAGES) : 'now';
  const Page = PAGES[id];
  return (
    <>
      <ViewHead title={text.title} lead={text.pages[id].lead} />
      <nav class="tabs" aria-label={text.pagesLabel}>
        {Object.keys(PAGES).map(page => (
          <a key={page} href={hashOf('operate', { page })} {...(page === id && { 'aria-current': 'page' as const })}>
            {text.pages[page as keyof typeof PAGES].title}
          </a>
        ))}
      </nav>
      <div class="page">
        <Page />
      </div>
    </>
  );
}
