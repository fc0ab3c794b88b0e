// Where the page begins.

import { render } from 'preact';
import { Frame } from './frame/frame.tsx';
import { readSession } from './state/session.ts';
import { PAGES, VIEWS } from './views/index.ts';
import './theme.css';

render(<Frame views={VIEWS} pages={PAGES} />, document.getElementById('app')!);
void readSession();
