// The peer on PostgreSQL.
import './peer-tests.ts';
