// The peer on Redis.
import './peer-tests.ts';
