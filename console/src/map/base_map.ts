// The map on which views draw: MapLibre with a ground of our own, light or dark as the page. Its worker and its style
// come from our own origin, as everything does. A view draws by overlays: sources, and layers that may look different
// in the dark. They stay when the theme changes.

import { effect } from '@preact/signals';
import {
  type GeoJSONSource,
  type GeoJSONSourceSpecification,
  Map as MapLibreMap,
  NavigationControl,
  ScaleControl,
  type SourceSpecification,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import mapStyle from 'maplibre-gl/dist/maplibre-gl.css?url';
import worker from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { call, Refusal } from '../api/call.ts';
import { isPublic } from '../state/session.ts';
import { isDark } from '../state/theme.ts';
import { strings } from '../strings.ts';
import { baseStyle } from './base_style.ts';
import { coarseLand } from './coarse_land.ts';
import { type Drawn, inOrder } from './layer_order.ts';
import { loadStyle } from './load_style.ts';

/** In a narrower map the licences are folded behind their button. */
const NARROW_PIXELS = 640;

/** The status of what cannot be had at all. */
const NOT_IMPLEMENTED = 501;

/** The style of the ground, in both themes. */
type Ground = (isDark: boolean) => StyleSpecification;

/** What a view draws. */
export interface Overlay extends Drawn {
  sources: Readonly<Record<string, SourceSpecification>>;
}

/** A position, longitude first as everywhere in MapLibre. */
export type LongitudeLatitude = [longitude: number, latitude: number];

/** A map on the page. */
export class BaseMap {
  /** For what has no helper here. */
  readonly map: MapLibreMap;
  private readonly ground: Ground;
  private readonly overlays = new Map<string, Overlay>();
  private readonly stopFollowing: () => void;

  private constructor(map: MapLibreMap, ground: Ground) {
    this.map = map;
    this.ground = ground;
    this.stopFollowing = effect(() => this.show(isDark.value));
  }

  /**
   * Makes a map in an element, once its style and its code are there. The element is `aria-busy` until all that is seen
   * is drawn. @throws Refusal when the service does not say what the map shows, or the browser cannot draw it
   */
  static async open(container: HTMLElement, centre: LongitudeLatitude, zoom: number): Promise<BaseMap> {
    if (document.createElement('canvas').getContext('webgl2') === null)
      throw new Refusal(NOT_IMPLEMENTED, strings.map.noWebgl);
    const [ground] = await Promise.all([readGround(), loadStyle(mapStyle)]);
    setWorkerUrl(worker);
    const map = new MapLibreMap({
      container,
      center: centre,
      zoom,
      style: ground(isDark.value),
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
    });
    map.touchZoomRotate.disableRotation();
    map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    map.addControl(new ScaleControl({ unit: 'metric' }), 'bottom-left');
    tellBusy(map, container);
    map.on('error', ({ error }) => console.error(error));
    if (container.clientWidth < NARROW_PIXELS) void map.once('idle').then(() => foldAttribution(container));
    await map.once('style.load');
    return new BaseMap(map, ground);
  }

  /** Draws an overlay, in the place of the one that had its name. Later ones lie above earlier ones. */
  setOverlay(name: string, overlay: Overlay | undefined): void {
    if (overlay === undefined) this.overlays.delete(name);
    else this.overlays.set(name, overlay);
    this.show(isDark.value);
  }

  /** Changes what a source of GeoJSON holds, without drawing anything else again. */
  setData(source: string, data: GeoJSONSourceSpecification['data']): void {
    this.map.getSource<GeoJSONSource>(source)?.setData(data);
    for (const { sources } of this.overlays.values()) {
      const spec = sources[source];
      if (spec?.type === 'geojson') spec.data = data;
    }
  }

  /** Takes the map from the page. */
  remove(): void {
    this.stopFollowing();
    this.map.remove();
  }

  /** MapLibre compares the whole style with the one before, and changes what differs. */
  private show(dark: boolean): void {
    const base = this.ground(dark);
    const overlays = [...this.overlays.values()];
    const style: StyleSpecification = {
      ...base,
      sources: Object.assign({}, base.sources, ...overlays.map(({ sources }) => sources)),
      layers: inOrder(base.layers, overlays, dark),
    };
    this.map.getContainer().setAttribute('aria-busy', 'true');
    this.map.setStyle(style, { diff: true });
    this.map.triggerRepaint();
  }
}

/** The ground: that of the service, or the one that the operator has named. */
async function readGround(): Promise<Ground> {
  const { attribution, ground } = await call('GET /map');
  if (ground === undefined) {
    const tiles = isPublic.value ? '/console/tiles' : '/tiles/map';
    const land = await coarseLand();
    return dark => baseStyle(dark, { attribution, tiles, land });
  }
  const { otherGround } = await import('./other_ground.ts');
  return otherGround(ground);
}

/** Says of an element whether its map is being drawn. */
function tellBusy(map: MapLibreMap, container: HTMLElement): void {
  const tell = (isBusy: boolean) => container.setAttribute('aria-busy', String(isBusy));
  tell(true);
  map.on('dataloading', () => tell(true));
  map.on('movestart', () => tell(true));
  map.on('idle', () => tell(false));
}

function foldAttribution(container: HTMLElement): void {
  const control = container.querySelector('.maplibregl-ctrl-attrib');
  control?.removeAttribute('open');
  control?.classList.remove('maplibregl-compact-show');
}
