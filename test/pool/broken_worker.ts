// A worker that cannot start.

throw new Error('no tables here');
