"""What backends that speak HTTP share: addresses, faults, complaints, what was learnt from them. See also `post`."""

from reflact.llm.http.address import address, is_loopback, named, proxy_for
from reflact.llm.http.complaint import Complaint, complaint_in, is_quota
from reflact.llm.http.learnt import Learnt
from reflact.llm.http.logs import without_queries
from reflact.llm.http.numbers import count, dollars
from reflact.llm.http.report import Reporter
from reflact.llm.http.room import added, roomier, said_nothing
from reflact.llm.http.status import fault_of
from reflact.llm.http.wait import retry_after_s

__all__ = [
    "Complaint",
    "Learnt",
    "Reporter",
    "added",
    "address",
    "complaint_in",
    "count",
    "dollars",
    "fault_of",
    "is_loopback",
    "is_quota",
    "named",
    "proxy_for",
    "retry_after_s",
    "roomier",
    "said_nothing",
    "without_queries",
]
