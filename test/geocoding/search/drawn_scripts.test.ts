// Addresses in scripts without blanks and in Arabic, and roads by their references, on drawn extracts.

import { beforeAll, expect, test } from 'vitest';
import { DrawnMap, searched } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const street = (lat: number, lon: number, tags: Record<string, string>) =>
    map.way([[lat, lon], [lat, lon + 0.01]], { highway: 'primary', ...tags }); // biome-ignore format: a line
  const house = (lat: number, lon: number, tags: Record<string, string>) => map.node([lat + 0.0001, lon], tags);

  map.boundary(2, [35.7, 139.8], 1, { name: '日本', 'ISO3166-1': 'JP' });
  map.boundary(4, [35.7, 139.8], 0.5, { name: '青空府' });
  map.boundary(7, [35.7, 139.8], 0.2, { name: '若葉市' });
  map.boundary(8, [35.7, 139.8], 0.1, { name: '南区' });
  map.boundary(10, [35.7, 139.8], 0.01, { name: '緑町二丁目' });
  const blocks = { 'addr:quarter': '泉川', 'addr:neighbourhood': '三丁目', 'addr:block_number': '5' };
  house(35.75, 139.8, { ...blocks, 'addr:housenumber': '12' });
  house(35.76, 139.8, { ...blocks, 'addr:housenumber': '14' });

  map.boundary(4, [31, 121], 0.5, { name: '云海市' });
  map.boundary(6, [31, 121], 0.2, { name: '东湖区' });
  street(31, 121, { name: '白鹤路' });
  street(31.01, 121, { name: '白鹤路358弄' });
  house(31, 121.005, { 'addr:street': '白鹤路', 'addr:housenumber': '900弄3号' });
  house(31, 121.006, { 'addr:street': '白鹤路', 'addr:housenumber': '398' });
  house(31.01, 121.005, { 'addr:street': '白鹤路358弄', 'addr:housenumber': '81号' });

  map.boundary(4, [37.5, 127], 0.2, { name: '별빛시' });
  street(37.5, 127, { name: '은하수로' });
  house(37.5, 127.005, { 'addr:street': '은하수로', 'addr:housenumber': '152' });
  street(13.7, 100.5, { name: 'ถนนดอกบัว' });
  street(13.8, 100.5, { name: 'ดาวเรือง' });
  street(24.7, 46.6, { name: 'شارع الملك سالم' });
  street(24.8, 46.6, { name: 'شارع أحمد المدينة' });

  const references = ['A 23', 'I 70;US 40', 'M25', 'E40', 'N-II', 'S8'];
  for (const [i, ref] of references.entries())
    street(50 + i / 10, 9, { ref, highway: 'motorway', ...(i % 2 === 1 && { name: `Fernstraße ${ref.slice(0, 1)}` }) });
  extract = await map.importInto(folder);
});

// Their addresses end with the house.
test.each([
  ['青空府若葉市南区緑町二丁目', '緑町二丁目'],
  ['緑町２丁目', '緑町二丁目'],
  ['泉川三丁目5番12号', '泉川, 三丁目, 5, 12'],
  ['泉川3-5-12', '泉川, 三丁目, 5, 12'],
  ['泉川３ー５ー１２', '泉川, 三丁目, 5, 12'],
  ['青空府若葉市南区泉川３−５−１４', '泉川, 三丁目, 5, 14'],
  ['若葉市南区泉川三丁目5番地14', '泉川, 三丁目, 5, 14'],
  ['云海市东湖区白鹤路358弄81号', '白鹤路358弄 81号'],
  ['东湖区白鹤路900弄3号', '白鹤路 900弄3号'],
  ['白鹤路398号', '白鹤路 398'],
  ['云海白鹤路398号', '白鹤路 398'],
  ['白鹤路398', '白鹤路 398'],
  ['은하수로152', '은하수로 152'],
  ['별빛시은하수로152', '은하수로 152'],
  ['별빛특별시 은하수로 152번지', '은하수로 152'],
  ['은하수로 152', '은하수로 152'],
])('%s finds %s', async (text, last) => {
  const [found] = await searched(extract, text);
  expect(found).toMatch(new RegExp(`, ${last}$`));
});

test.each([
  ['ดอกบัว', 'ถนนดอกบัว'],
  ['ถนนดอกบัว', 'ถนนดอกบัว'],
  ['ถนนดาวเรือง', 'ดาวเรือง'],
  ['شَارِع المَلِك سَالِم', 'شارع الملك سالم'],
  ['شارع احمد المدينه', 'شارع أحمد المدينة'],
  ['A23', 'A 23'],
  ['a 23', 'A 23'],
  ['A-23', 'A 23'],
  ['I70', 'Fernstraße I'],
  ['I-70', 'Fernstraße I'],
  ['US 40', 'Fernstraße I'],
  ['M 25', 'M25'],
  ['E 40', 'Fernstraße E'],
  ['N II', 'N-II'],
  ['NII', 'N-II'],
  ['S 8', 'Fernstraße S'],
  ['Autobahn 23', 'A 23'],
  ['Autobahn A23', 'A 23'],
  ['BAB 23', 'A 23'],
  ['Interstate 70', 'Fernstraße I'],
  ['Interstate I-70', 'Fernstraße I'],
  ['US Route 40', 'Fernstraße I'],
  ['U.S. Route 40', 'Fernstraße I'],
  ['US Highway 40', 'Fernstraße I'],
  ['M25 motorway', 'M25'],
  ['Motorway 25', 'M25'],
  ['трасса М-25', 'M25'],
])('%s finds %s', async (text, first) => {
  const [found] = await searched(extract, text);
  expect(`${found},`).toMatch(new RegExp(`^${first},`));
});

test.each(['白鹤路399弄', '云海黑鹤路398号', '별빛시금하수로152', '泉川3-5-13', 'A24', 'I71', 'ดอกเข็ม'])(
  '%s is no other one',
  async text => {
    const found = await searched(extract, text);
    expect(found.filter(each => / (81号|12|14|152|398|900弄3号)$|^A 23|^ถนนดอกบัว/.test(each))).toEqual([]);
  },
);
