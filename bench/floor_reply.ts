// The answer of the floor, as long as a usual answer of the real server.

export const FLOOR_REPLY = '{"location":{"lat":48.8123456,"lng":9.1234567},"accuracy":23,"logId":123456}';
export const FLOOR_REPLY_BYTES = Buffer.byteLength(FLOOR_REPLY);
