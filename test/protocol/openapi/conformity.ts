// Whether requests and answers fit an OpenAPI document, and which of its parts they show.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { numberOf } from '../../../src/radio/read_value.ts';
import { type Json, operationsOf } from './committed_document.ts';

/** What is needed of a request. */
interface SentRequest {
  /** With its query. */
  path: string;
  body?: string | Buffer;
}

/** What is needed of an answer. */
interface GivenAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Where a request does not fit. */
interface Misfit {
  where: string;
  message: string;
  /** A reason to refuse the request; else a value that is passed over. */
  isStructural: boolean;
}

/** Members of the body of a position whose type alone decides whether it is refused. */
const STRUCTURE =
  /^(?:|\/(?:cellTowers|wifiAccessPoints|bluetoothBeacons|sensors|fallbacks|state|gps|lastLocation|items))$/;
/** Parameters of which anything that is not understood is passed over. */
const LENIENT = new Set(['id', 'nr', 'addressdetails', 'bounded', 'autocomplete', 'explain']);
const ANY_ERROR = { $ref: '#/components/schemas/Error' };
/** Stands for the value of a parameter that is not percent-encoded UTF-8. */
const NOT_DECODED = '\ufffd';

/** The parameters of a path; the first of a name counts, and one without a value is as if it were not there. */
export function parametersOf(path: string): Map<string, string> {
  const found = new Map<string, string>();
  const start = path.indexOf('?');
  if (start < 0) return found;
  for (const pair of path.slice(start + 1).split('&')) {
    const [name, value] = [pair.split('=', 1)[0], pair.slice(pair.split('=', 1)[0].length + 1)].map(decode);
    if (!found.has(name)) found.set(name, value);
  }
  for (const [name, value] of found) if (value === '') found.delete(name);
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return NOT_DECODED;
  }
}

/** The body of a request; `{}` where it is empty or null, undefined where it is not JSON. */
export function bodyOf({ body }: SentRequest): unknown {
  const text = body?.toString().replace(/^\ufeff/, '') ?? '';
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return undefined;
  }
}

/** Degrees may be sent as text, which the description of the document says and its schemas do not. */
function withDegreesAsNumbers(body: Json): Json {
  const { gps, lastLocation } = body ?? {};
  const read = (place: Json, members: string[]): Json =>
    typeof place !== 'object' || place === null || Array.isArray(place)
      ? place
      : {
          ...place,
          ...Object.fromEntries(
            members.filter(name => !Number.isNaN(numberOf(place[name]))).map(name => [name, numberOf(place[name])]),
          ),
        };
  if (gps === undefined && lastLocation === undefined) return body;
  return { ...body, gps: read(gps, ['latitude', 'longitude']), lastLocation: read(lastLocation, ['lat', 'lng']) };
}

/** All that a value of a schema can show, by the labels of `show`. */
function collect(schema: Json, label: string, all: Set<string>): void {
  if (schema.$ref !== undefined) return;
  for (const value of schema.enum ?? []) all.add(`${label} = ${value}`);
  for (const [i, alternative] of (schema.anyOf ?? []).entries()) {
    if (alternative.$ref === undefined) all.add(`${label} (${i})`);
    collect(alternative, `${label} (${i})`, all);
  }
  if (schema.items !== undefined) collect(schema.items, `${label}[]`, all);
  for (const [member, inner] of Object.entries(schema.properties ?? {})) {
    all.add(`${label}.${member}`);
    collect(inner, `${label}.${member}`, all);
  }
}

/** Each operation succeeds by itself; aliases of one operation fail alike. */
function labelOf({ operationId, summary }: Json, status: number): string {
  return `${status < 300 ? operationId : summary}: ${status}`;
}

/** Name of the component that a reference is to. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** A document, and what of it was shown. */
export class Conformity {
  private readonly document: Json;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: { date: /^\d{4}-\d\d-\d\d$/ } });
  private readonly validators = new Map<unknown, ValidateFunction>();
  private readonly shown = new Set<string>();

  constructor(document: Json) {
    this.document = document;
    // References inside of schemas begin at the root of the document.
    this.ajv.addSchema({ $id: 'document', components: document.components });
  }

  /** True when a value fits a schema of the components. */
  fits(name: string, value: unknown): boolean {
    return this.validatorOf(this.document.components.schemas[name])(value);
  }

  /** What is wrong with an answer to an operation. */
  checkAnswer(operation: Json, { status, headers, body }: GivenAnswer): string[] {
    const reference = operation.responses[status];
    if (reference === undefined) return [`${operation.operationId} has no such status`];
    const response = this.follow(reference);
    this.shown.add(labelOf(operation, status));
    const wrong: string[] = [];
    for (const [name, header] of Object.entries<Json>(response.headers ?? {})) {
      const { schema } = this.follow(header);
      const value = schema.type === 'integer' ? numberOf(headers[name]) : headers[name];
      wrong.push(...this.check(schema, value, name).map(problem => `${name} ${problem}`));
    }
    if (response.content === undefined) return body === '' ? wrong : [...wrong, 'there is a body'];
    const [type, charset] = (headers['content-type'] ?? '').split('; ');
    const content = response.content[type];
    if (content === undefined || charset !== 'charset=utf-8')
      return [...wrong, `the content type is ${headers['content-type']}`];
    return [
      ...wrong,
      ...this.check(
        content.schema,
        type === 'application/json' ? JSON.parse(body) : body,
        `${operation.summary}: ${status}`,
      ),
    ];
  }

  /** What is wrong with an answer that belongs to no operation. */
  checkError({ status, headers, body }: GivenAnswer, isHead: boolean): string[] {
    // Nobody sees the body of an answer to HEAD.
    if (status < 400) return ['it is no error'];
    if (body === '') return isHead ? [] : ['there is no body'];
    if (headers['content-type'] !== 'application/json; charset=utf-8')
      return [`the content type is ${headers['content-type']}`];
    const { error, logId } = JSON.parse(body);
    if (error.code !== status) return [`the code is ${error.code}`];
    return this.check(ANY_ERROR, { error, logId }, '');
  }

  /** Where the parameters and the body of a request do not fit an operation. */
  checkRequest(operation: Json, request: SentRequest): Misfit[] {
    const misfits: Misfit[] = [];
    const sent = parametersOf(request.path);
    for (const reference of operation.parameters) {
      const { name, schema, required = false, in: place } = this.follow(reference);
      if (place !== 'query') continue;
      const text = sent.get(name);
      if (text === undefined) {
        if (required) misfits.push({ where: name, message: 'is missing', isStructural: true });
        continue;
      }
      const value = schema.type === 'number' || schema.type === 'integer' ? numberOf(text) : text;
      const label = `${operation.summary}: ?${name}`;
      this.shown.add(label);
      const messages = text === NOT_DECODED ? ['is not percent-encoded UTF-8'] : this.check(schema, value, label);
      misfits.push(
        ...messages.map(message => ({
          where: name,
          message: `${message}: ${text}`,
          isStructural: !LENIENT.has(name) && !(name === 'zoom' && sent.has('format')),
        })),
      );
    }
    if (operation.requestBody !== undefined)
      misfits.push(...this.checkBody(operation.requestBody.content['application/json'].schema, bodyOf(request)));
    return misfits;
  }

  private checkBody(schema: Json, body: unknown): Misfit[] {
    if (body === undefined) return [{ where: '', message: 'is not JSON', isStructural: true }];
    const validate = this.validatorOf(schema);
    if (validate(withDegreesAsNumbers(body))) {
      this.show(schema, body, '');
      return [];
    }
    return validate.errors!.map(({ instancePath, message, keyword }) => ({
      where: instancePath,
      message: message!,
      isStructural: STRUCTURE.test(instancePath) && keyword !== 'anyOf',
    }));
  }

  private check(schema: Json, value: unknown, label: string): string[] {
    const validate = this.validatorOf(schema);
    if (validate(value)) {
      this.show(schema, value, label);
      return [];
    }
    return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** Notes which members, alternatives and values of a schema a valid value has. */
  private show(schema: Json, value: Json, label: string): void {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref);
      this.shown.add(name);
      this.show(this.document.components.schemas[name], value, name);
      return;
    }
    if (schema.enum?.includes(value)) this.shown.add(`${label} = ${value}`);
    for (const [i, alternative] of (schema.anyOf ?? []).entries()) {
      if (!this.validatorOf(alternative)(value)) continue;
      if (alternative.$ref === undefined) this.shown.add(`${label} (${i})`);
      this.show(alternative, value, `${label} (${i})`);
    }
    if (Array.isArray(value)) for (const item of value) this.show(schema.items ?? {}, item, `${label}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries<Json>(schema.properties ?? {})) {
        if (value[member] === undefined) continue;
        this.shown.add(`${label}.${member}`);
        this.show(inner, value[member], `${label}.${member}`);
      }
    }
  }

  /** Statuses, parameters, schemas, members, alternatives and values of enumerations that nothing has shown. */
  neverShown(): string[] {
    const all = new Set<string>();
    for (const { operation } of operationsOf(this.document)) {
      for (const status of Object.keys(operation.responses))
        if (status !== 'default') all.add(labelOf(operation, Number(status)));
      for (const reference of operation.parameters ?? []) {
        const { name, schema, in: place } = this.follow(reference);
        if (place !== 'query') continue;
        all.add(`${operation.summary}: ?${name}`);
        collect(schema, `${operation.summary}: ?${name}`, all);
      }
    }
    for (const [name, schema] of Object.entries(this.document.components.schemas)) {
      all.add(name);
      collect(schema, name, all);
    }
    return [...all].filter(what => !this.shown.has(what));
  }

  private validatorOf(schema: Json): ValidateFunction {
    let validate = this.validators.get(schema);
    if (validate === undefined) {
      validate = this.ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')),
      );
      this.validators.set(schema, validate);
    }
    return validate;
  }

  private follow(value: Json): Json {
    if (value?.$ref === undefined) return value;
    return value.$ref
      .split('/')
      .slice(1)
      .reduce((at: Json, name: string) => at[name], this.document);
  }
}
