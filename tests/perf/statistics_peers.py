# SPDX-License-Identifier: GPL-3.0-or-later
"""The peers of `./dev perf statistics`: reads numbers, one a line, from the file named first, and prints "name seconds" of what
each does with them, or "name -" where it is not installed. Best of three; what the libraries need
to be loaded is not counted. A second argument `pipeline` runs all of paper O's algorithm 1 too."""
import sys
import time


def best(work):
    shortest = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        work()
        shortest = min(shortest, time.perf_counter() - begin)
    return shortest


def load(name):
    try:
        return __import__(name, fromlist=["*"])
    except ImportError:
        return None


numpy = load("numpy")
hierarchy = load("scipy.cluster.hierarchy")
fastcluster = load("fastcluster")
neighbors = load("sklearn.neighbors")
values = numpy.sort(numpy.loadtxt(sys.argv[1])) if numpy else None
column = values[:, None] if numpy else None


def lof(points):
    neighbors.LocalOutlierFactor(n_neighbors=10).fit(points)


def pipeline():
    """Algorithm 1 of paper O as one would write it: LOF, linkage, a cut for every height."""
    factor = -neighbors.LocalOutlierFactor(n_neighbors=10).fit(column).negative_outlier_factor_
    tree = hierarchy.linkage(column, "complete")
    median, least = numpy.median(values), len(values) / 100
    lowest, ideal = float("inf"), 0
    for height in numpy.unique(tree[:, 2]):
        cluster = hierarchy.fcluster(tree, height, "distance")
        size = numpy.bincount(cluster)
        smallest = numpy.full(len(size), numpy.inf)
        numpy.minimum.at(smallest, cluster, values)
        kept = ((size >= least) | (smallest <= median))[cluster]
        mean = factor[kept].mean()
        if mean <= lowest:
            lowest, ideal = mean, height
    return ideal


peers = [
    ("scipy-linkage", numpy and hierarchy, lambda: hierarchy.linkage(column, "complete")),
    ("fastcluster-linkage", numpy and fastcluster, lambda: fastcluster.linkage(column, "complete")),
    ("scikit-learn-lof", numpy and neighbors, lambda: lof(column)),
    ("python-pipeline", numpy and hierarchy and neighbors, pipeline),
]
for peer, installed, run in peers:
    if peer != "python-pipeline" or "pipeline" in sys.argv[2:]:
        print(peer, f"{best(run):.9f}" if installed else "-")
