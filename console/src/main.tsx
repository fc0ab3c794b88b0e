// Where the page begins.

import { render } from 'preact';
import { Frame } from './frame/frame.tsx';
import { readSession } from './state/session.ts';
import { VIEWS } from './views/index.ts';
import { PUBLIC_PAGES } from './views/public.ts';
import './theme.css';

render(<Frame views={VIEWS} pages={PUBLIC_PAGES} />, document.getElementById('app')!);
void readSession();
